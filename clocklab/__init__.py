"""Two 3x3 puzzles of quarter-turn dials, The Clocks and the Sawtooth Puzzle, held in one 18-bit word.

The modules here are the puzzles and their solvers: ``dials`` (the packed state), ``clocks`` and ``sawtooth`` (the
rules), ``search``, ``enumeration`` and ``algebra`` (three ways to solve), ``solvers`` (the three behind one face),
``judge`` (the judges' text formats). ``studies`` finds things out with them, ``exports`` shows and writes them,
``plumbing`` is what knows of no puzzle, ``notebooks`` runs the notebooks. What is typed first is here, loaded when it
is asked for.

>>> import clocklab
>>> clocklab.solve(clocklab.Dials.of([9, 9, 12, 6, 6, 6, 6, 3, 6], "hours"))
[4, 5, 8, 9]
"""

from importlib import import_module

__version__ = "1.0.0"
_HOME = {  # name: the module that it comes from
    "Dials": "dials", "to_state": "dials", "from_state": "dials",
    "press": "clocks", "replay": "clocks",
    "solve": "solvers", "press_vectors": "solvers", "distance_table": "solvers",
    "Gears": "sawtooth", "board_of": "sawtooth", "random_board": "sawtooth", "turn": "sawtooth",
    "move_set": "studies.movesets",
}  # fmt: skip
__all__ = ["__version__", *_HOME]  # noqa: PLE0604 (strings, all of them)


def __getattr__(name: str) -> object:
    if name not in _HOME:
        raise AttributeError(f"module 'clocklab' has no attribute {name!r}")
    return getattr(import_module(f"clocklab.{_HOME[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
