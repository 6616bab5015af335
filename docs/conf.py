"""The book that ``make book`` builds: README, the notebooks as they are stored, and what data/ holds."""

import json
import re
import shutil
from pathlib import Path

from docutils.nodes import SkipNode
from docutils.utils.math.latex2mathml import tex2mathml

project = html_title = "Clocklab"
extensions = ["myst_nb"]
include_patterns = ["README.md", "CHANGELOG.md", "data/README.md", "notebooks/*.ipynb"]
root_doc = "README"
nitpicky = True
nb_execution_mode = "off"
highlight_language = "none"
myst_heading_anchors = 3
myst_enable_extensions = ["dollarmath"]

html_theme = "sphinx_book_theme"
html_theme_options = {"use_fullscreen_button": False, "navbar_persistent": [], "footer_content_items": []}
html_context = {"default_mode": "auto"}  # light or dark as the reader has it
html_show_search_summary = False  # it would fetch pages, which browsers refuse to pages opened as files
html_show_copyright = html_show_sphinx = False
html_domain_indices = html_use_index = False
templates_path, html_static_path = ["_templates"], ["_static"]
html_css_files = ["book.css"]
html_sidebars = {"**": ["navbar-logo.html", "search-button-field.html", "play.html", "sbt-sidebar-nav.html"]}
html_math_renderer = "mathml"  # by docutils, while the book is built: a reader's browser needs no script for it

ROOT = Path(__file__).parents[1]
PLAY = re.compile(r"\[([^]]*)\]\(((?:\.\./)*)docs/(play\.html[^)]*)\)")  # beside the book's first page, not in docs/
CONTENTS = """
```{toctree}
:hidden:
:glob:
:caption: Notebooks

notebooks/*
```

```{toctree}
:hidden:
:caption: Appendix

data/README
CHANGELOG
```
"""


def downloads() -> str:
    """Return the last part of data/README: every table and figure, to take along."""
    tables = [path.name for path in sorted((ROOT / "data").iterdir()) if path.suffix in (".csv", ".gz", ".npz")]
    figures = [f"figures/{path.name}" for path in sorted((ROOT / "data/figures").glob("*.*"))]
    parts = [", ".join(f"[{Path(name).name}]({name})" for name in names) for names in (tables, figures)]
    return "\n\n## Downloads\n\nTables: {}.\n\nFigures: {}.\n".format(*parts)


def read(app, page, source):
    """Add what only the book has: its contents, the downloads, links to the page to play on, alt texts of figures."""
    added = {"README": CONTENTS, "data/README": downloads()}
    if page.startswith("notebooks/"):
        notebook = json.loads(source[0])
        for cell in notebook["cells"]:
            cell["source"] = linked("".join(cell["source"]))
            for output in cell.get("outputs", ()):
                if alt := output.get("metadata", {}).get("image/png", {}).get("alt"):
                    cell["metadata"]["mystnb"] = {"image": {"alt": alt}}
        source[0] = json.dumps(notebook)
    else:
        source[0] = linked(source[0]) + added.get(page, "")


def linked(text):
    """Return a text with its links to the page to play on as the book needs them."""
    return PLAY.sub(r'<a href="\2\3">\1</a>', text)


def finish(app, error):
    """Make README the first page, and lead back to it from the page to play on."""
    if error:
        return
    page = (ROOT / "docs/play.html").read_text("utf-8")
    page = page.replace("Clocklab</h1>", '<a href="index.html">Clocklab</a></h1>')
    book = Path(app.outdir)
    book.joinpath("play.html").write_text(page, "utf-8")
    shutil.copy(book / "README.html", book / "index.html")


def formula(as_block):
    """Return what writes a formula as MathML."""

    def visit(translator, node):
        translator.body.append(tex2mathml(node.astext(), as_block=as_block))
        raise SkipNode

    return visit, None


def setup(app):
    """Hook the above into Sphinx."""
    app.add_html_math_renderer("mathml", formula(False), formula(True))
    app.connect("source-read", read)
    app.connect("build-finished", finish)
