# make              build .venv, re-run every notebook in place, export every table and figure into data/
# make test         ruff, mypy, and the tests with the coverage of clocklab/
# make check        compare notebooks and exports with a fresh run; names what is stale, writes nothing there
# make lab          open the notebooks in JupyterLab; as root: make lab LAB=--allow-root
# make bench        how fast it is, beside other ways
# make fuzz         the long random tests
# make extras       add what is optional: selenium for the browser tests, sphinx for the book, distributed for clusters, numba
# make book         a site to read offline, in build/book: README, the notebooks as they are stored, the page to play on
# make test-browser every notebook in a real JupyterLab, the book and the page to play on, in headless Chromium
# make lock         compute requirements*.txt anew from pyproject.toml; needs uv
# make clean        remove .venv and what tools leave behind
#
# Another Python: make PYTHON=python3.12

VENV := .venv
PY := $(VENV)/bin/python
PIP := $(PY) -m pip install --quiet --disable-pip-version-check

# The stamp is written last, so that a set-up that was cut short starts again. It bears the name of the Python
# that was asked for; without a wish, any finished .venv will do.
ifdef PYTHON
STAMP := $(VENV)/ready-$(subst /,-,$(PYTHON))
else
STAMP := $(VENV)/ready
PYTHON := $(shell for p in python3 python3.13 python3.12 python3.11; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
endif

.PHONY: all test check lab bench fuzz extras book test-browser lock clean
.DELETE_ON_ERROR:

all: $(STAMP)
	@echo "Running the seven notebooks, two at once; this takes about a minute."
	$(PY) -m clocklab notebooks
	$(PY) -m clocklab tables
	$(PY) -m clocklab figures
	$(PY) docs/boards.py
	@echo "Every notebook, table and figure is made anew; git status shows what has changed."

$(STAMP): requirements.txt pyproject.toml
	@command -v "$(PYTHON)" >/dev/null || { echo "Found no $(or $(PYTHON),Python 3.11 or newer);" \
	"name one: make PYTHON=/path/to/python" >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; v = sys.version_info; v >= (3, 11) or sys.exit("$(PYTHON) is Python %d.%d; " % v[:2] + \
	"clocklab needs 3.11 or newer: make PYTHON=/path/to/python")'
	@"$(PYTHON)" -c 'import venv; from ensurepip import version' 2>/dev/null || { echo "$(PYTHON) comes without venv;" \
	"on Debian and Ubuntu: apt-get install python3-venv" >&2; exit 1; }
	@echo "Building $(VENV) and installing some 130 packages; the first time this takes a minute or two."
	"$(PYTHON)" -m venv --clear $(VENV)
	$(PIP) -r requirements.txt
	@touch $(VENV)/ready $@

test: $(STAMP)
	@status=0; \
	for tool in "ruff check ." mypy "pytest --numprocesses=2 --cov=clocklab"; do \
		echo "$(PY) -m $$tool"; $(PY) -m $$tool || status=1; done; \
	exit $$status

check: $(STAMP)
	@status=0; \
	for part in notebooks tables figures; do $(PY) -m clocklab $$part --check || status=1; done; \
	[ $$status = 0 ] && echo "Every notebook, table and figure is what a fresh run gives."; exit $$status

lab: $(STAMP)
	$(PY) -m jupyterlab $(LAB) --LabApp.default_url=/lab/tree/notebooks/01_eighteen_bits.ipynb

bench: $(STAMP)
	$(PY) benchmarks/run.py

fuzz: $(STAMP)
	$(PY) -m pytest tests/fuzz.py

$(VENV)/extras: $(STAMP) requirements-extra.txt
	$(PIP) -r requirements-extra.txt
	@touch $@

extras: $(VENV)/extras

book: $(VENV)/extras
	rm -rf build/book
	$(PY) -m sphinx --quiet --fail-on-warning --keep-going -c docs -d build/doctrees . build/book
	@echo "The book begins at build/book/index.html."

test-browser: $(VENV)/extras book
	$(PY) -m pytest -rs tests/test_browser*.py

# One set of versions for Python 3.11 to 3.13 on every system: first everything, then the part that all need.
LOCK := uv pip compile pyproject.toml --quiet --universal --python-version 3.11 --fork-strategy fewest \
	--upgrade --no-annotate --no-header
lock:
	mkdir -p build
	$(LOCK) --all-extras --output-file build/all.txt
	$(LOCK) --extra notebooks --extra dev --constraints build/all.txt --output-file build/main.txt
	{ echo "# Made by make lock: the pinned versions, and this project itself."; cat build/main.txt; echo "-e ."; } \
		> requirements.txt
	{ echo "# Made by make lock: what the optional parts need on top of requirements.txt."; \
		grep -vxF -f build/main.txt build/all.txt; } > requirements-extra.txt

clean:
	rm -rf $(VENV) build *.egg-info .pytest_cache .hypothesis .mypy_cache .ruff_cache .coverage
