"""Every notebook in a real JupyterLab in a real browser: opened, cleared, run and saved, it says what is stored."""

import os
import secrets
import shutil
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from browser import chrome, wait

from clocklab import notebooks

# A cell off the screen is not drawn, so results are read from the saved file rather than from the page. "Run all"
# is lost if it comes before the kernel has said what it is.
RUN = """
const [path, done] = arguments;
const late = new Promise(resolve => setTimeout(resolve, 100000, "not done after 100 seconds"));
const run = (async () => {
  const app = window.jupyterapp;
  await app.restored;
  const widget = await app.commands.execute("docmanager:open", {path, factory: "Notebook"});
  await widget.context.ready;
  await widget.sessionContext.ready;
  await widget.sessionContext.session.kernel.info;
  app.shell.activateById(widget.id);
  await app.commands.execute("notebook:clear-all-cell-outputs");
  const cells = widget.content.model.sharedModel.toJSON().cells;
  const left = cells.reduce((sum, cell) => sum + (cell.outputs || []).length, 0);
  await app.commands.execute("notebook:run-all-cells");
  await widget.context.save();
  await widget.sessionContext.shutdown();
  widget.dispose();
  return left;
})();
Promise.race([run, late]).then(done, error => done(String(error)));
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the notebooks beside the data, for JupyterLab to save in."""
    folder = tmp_path_factory.mktemp("lab")
    shutil.copytree(notebooks.HOME, folder / "notebooks", ignore=shutil.ignore_patterns(".*"))
    (folder / "data").symlink_to(notebooks.HOME.parent / "data")
    return folder


@pytest.fixture(scope="module")
def lab(folder: Path) -> Iterator[str]:
    """The address of a JupyterLab on this machine alone, without the reader's own settings."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    token = secrets.token_hex()
    (home := folder / "home").mkdir()
    (home / "matplotlibrc").touch()
    settings = "JUPYTER_CONFIG_DIR", "JUPYTER_DATA_DIR", "JUPYTER_RUNTIME_DIR", "IPYTHONDIR", "MATPLOTLIBRC"
    command = [sys.executable, "-m", "jupyterlab", "--no-browser", "--allow-root", f"--ServerApp.root_dir={folder}",
               f"--port={port}", "--ServerApp.port_retries=0", f"--IdentityProvider.token={token}",
               "--LabApp.expose_app_in_browser=True"]  # fmt: skip
    with (folder / "log").open("wb") as log:
        environment = os.environ | dict.fromkeys(settings, str(home))
        server = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=log, stderr=log)
    try:
        _wait_for(f"http://127.0.0.1:{port}/api?token={token}", server)
        yield f"http://127.0.0.1:{port}/lab?token={token}"
    finally:
        server.terminate()
        server.wait()


def _wait_for(address: str, server: subprocess.Popen[bytes]) -> None:
    for _ in range(240):
        assert server.poll() is None, "JupyterLab did not start"
        try:
            with urllib.request.urlopen(address):
                return
        except urllib.error.URLError:
            time.sleep(0.25)
    raise TimeoutError("JupyterLab does not answer")


@pytest.fixture(scope="module")
def browser(lab: str, folder: Path) -> Iterator[Any]:
    """A Chromium that shows JupyterLab."""
    with chrome(folder) as opened:
        opened.set_script_timeout(110)
        opened.get(lab)
        ready = "return document.readyState == 'complete' && Boolean(window.jupyterapp)"
        wait(lambda: opened.execute_script(ready), "JupyterLab does not show", seconds=120)
        yield opened


@pytest.mark.parametrize("path", notebooks.everything(), ids=lambda path: path.stem)
def test_a_notebook_run_and_saved_in_jupyterlab_says_what_is_stored(browser: Any, folder: Path, path: Path) -> None:
    left = browser.execute_async_script(RUN, f"notebooks/{path.name}")
    assert left == 0, "outputs were there after clearing, or a command failed"
    saved = notebooks.read(folder / "notebooks" / path.name)
    kinds = [output.output_type for cell in saved.cells for output in cell.get("outputs", [])]
    assert kinds, "the run gave no outputs at all"
    assert "error" not in kinds
    assert [str(place) for place in notebooks.differences(path.stem, notebooks.read(path), saved)] == []
