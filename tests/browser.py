"""A headless Chromium for tests, which reaches nothing outside this machine; without one, tests are skipped."""

import json
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

webdriver = pytest.importorskip("selenium.webdriver", reason="selenium is not installed: make extras")
names = "chromium", "chromium-browser", "google-chrome"
chromium, driver = next(filter(None, map(shutil.which, names)), None), shutil.which("chromedriver")
if not (chromium and driver):
    missing = "no Chromium with its driver; on Debian and Ubuntu: apt-get install chromium chromium-driver"
    pytest.skip(missing, allow_module_level=True)

CONTRASTS = """
const rgb = (colour) => colour.match(/[\\d.]+/g).map(Number);
const light = (colour) => rgb(colour).slice(0, 3)
  .map((c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
  .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
const ground = (shown) => {
  const colour = getComputedStyle(shown).backgroundColor;
  return (rgb(colour)[3] ?? 1) === 1 ? colour : ground(shown.parentElement);
};
return [...document.querySelectorAll("body *:not(svg *)")]
  .filter((shown) => shown.checkVisibility({opacityProperty: true, visibilityProperty: true}))
  .filter((shown) => !shown.disabled && !shown.matches("option, optgroup, script"))
  .filter((shown) => [...shown.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim()))
  .map((shown) => {
    const [a, b] = [light(getComputedStyle(shown).color), light(ground(shown))].sort((x, y) => y - x);
    return [(a + 0.05) / (b + 0.05), shown.textContent.trim().slice(0, 40)];
  });
"""


@contextmanager
def chrome(folder: Path) -> Iterator[Any]:
    """Start a Chromium with a profile of its own in a folder; it notes its console and what it asks for."""
    options = webdriver.ChromeOptions()
    options.binary_location = chromium
    for argument in (
        "headless", "no-sandbox", "disable-gpu", "disable-quic", "no-first-run", "disable-dev-shm-usage",
        "disable-background-networking", "disable-component-update", "disable-sync", "hide-scrollbars",
        "host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1", f"user-data-dir={folder / 'browser'}",
    ):  # fmt: skip
        options.add_argument(f"--{argument}")
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    opened = webdriver.Chrome(options, webdriver.ChromeService(driver))
    try:
        opened.get("about:blank")
        requests(opened)  # those of the page that a browser opens by itself
        yield opened
    finally:
        opened.quit()


def resize(opened: Any, width: int, height: int, **media: str) -> None:
    """Show pages at this size, and with these media features: ``prefers_color_scheme="dark"``."""
    size = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
    opened.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
    features = [{"name": name.replace("_", "-"), "value": value} for name, value in media.items()]
    opened.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": features})


def wait(ready: Callable[[], Any], what: str, seconds: float = 20) -> Any:
    """Wait until something is true, and return it."""
    deadline = time.monotonic() + seconds
    while not (value := ready()):
        assert time.monotonic() < deadline, what
        time.sleep(0.02)
    return value


def console(opened: Any) -> list[str]:
    """Return what the console has said since it was last asked: errors, warnings and all."""
    return [entry["message"] for entry in opened.get_log("browser")]


def requests(opened: Any) -> list[str]:
    """Return the addresses asked for since it was last asked."""
    messages = [json.loads(entry["message"])["message"] for entry in opened.get_log("performance")]
    return [m["params"]["request"]["url"] for m in messages if m["method"] == "Network.requestWillBeSent"]


def outside(opened: Any) -> list[str]:
    """Return the addresses asked for that are no files of this machine."""
    return [url for url in requests(opened) if not url.startswith(("file:", "data:", "blob:"))]


def faint(opened: Any) -> list[Any]:
    """Return the texts on the page whose contrast to their ground is below 4.5."""
    contrasts = opened.execute_script(CONTRASTS)
    assert contrasts, "no text at all"
    return [(round(contrast, 2), text) for contrast, text in contrasts if contrast < 4.5]
