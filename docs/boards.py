"""Write the boards that play.html lists into it: the named ones and those of data/sawtooth_hardest.csv."""

import json
import re
from pathlib import Path

from clocklab import dials, sawtooth
from clocklab.exports import tables
from clocklab.plumbing.output import write_whole
from clocklab.studies import examples

PAGE = Path(__file__).with_name("play.html")
LIST = re.compile(r'(?<=<script type="application/json" id="lists">\n).*?(?=\n</script>)', re.DOTALL)
NAMED = examples.BOARDS | {
    "trapdoor": examples.TRAPDOOR, "stairs": examples.STAIRS, "whirl": examples.WHIRL,
    "helpless": examples.HELPLESS, "helped": examples.HELPED,
}  # fmt: skip


def listed() -> dict[str, list[tuple[str, ...]]]:
    """Return two lists of boards: name, teeth and goal; without a goal, it is the farthest state."""
    goals = {"sample": [_digits(sawtooth.replay(examples.SAMPLE, examples.SAMPLE_STEPS)[-1])]}
    named = [(name, sawtooth.teeth_of(board), *goals.get(name, ())) for name, board in NAMED.items()]
    rows = tables.sawtooth_hardest().itertuples()
    hardest = [(f"{row.steps} turns, {row.board.count('1')} teeth", row.board, row.target) for row in rows]
    return {"Named boards": named, "The hardest known": hardest}


def _digits(state: int) -> str:
    return "".join(map(str, dials.unpack(state)))


def filled(page: str) -> str:
    """Return the page with the lists in their place, one board a line."""
    text = json.dumps(listed(), separators=(",", ":")).replace("[[", "[\n[").replace("],", "],\n")
    return LIST.sub(lambda _: text, page)


if __name__ == "__main__":
    write_whole(PAGE, filled(PAGE.read_text("utf-8")).encode())
