"""The command line. Parsers are built for every command; what a command needs is imported when it runs."""

import argparse
import errno
import os
import signal
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from io import StringIO
from pathlib import Path
from typing import Any

from clocklab import __version__
from clocklab.plumbing.errors import ClocklabError, printable
from clocklab.plumbing.output import write_whole

STDOUT = None, "-", "/dev/stdout"  # what an output file is called when it is standard output
INTERRUPTED, CLOSED_PIPE = 130, 141  # what a shell reports of a command ended by these signals
Command = Callable[[argparse.Namespace], int | None]  # returns the exit status, None for 0
Add = Callable[..., argparse.Action]  # a command's add_argument
Begin = Callable[[Command, str], Add]  # takes a command and an example of it


def main(argv: list[str] | None = None) -> int:
    """Run one command and return its exit status: 0, or 2 after one line on standard error."""
    if sys.stderr is None:  # closed by the caller; a progress bar would stumble over it
        sys.stderr = StringIO()
    _open_closed_streams()
    try:
        return _run(argv)
    except KeyboardInterrupt:
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # a second one is not to disturb the end
        return INTERRUPTED
    except BrokenPipeError:
        return CLOSED_PIPE
    except MemoryError:
        return _fail("not enough memory")
    except OSError as error:
        return _fail(": ".join(str(part) for part in (error.filename, error.strerror or error) if part))


def _open_closed_streams() -> None:
    """Lead closed standard streams nowhere, or a process that is started would take its first files for them."""
    for stream in range(3):
        try:
            os.fstat(stream)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the lowest free number


def _run(argv: list[str] | None) -> int:
    try:
        arguments = _parser().parse_args(argv)
    except SystemExit as stop:  # after --help, or an error in the arguments
        return int(stop.code or 0)
    try:
        return arguments.run(arguments) or 0
    except ClocklabError as error:  # only the package's own errors are about the input
        return _fail(*str(error).split("\n"))
    except ModuleNotFoundError as error:
        if (library := (error.name or "clocklab").partition(".")[0]) == "clocklab":
            raise
        return _fail(f"{library} is not installed: pip install 'clocklab[notebooks]' installs all that is needed")
    except RuntimeError as error:
        if "start new thread" not in str(error):
            raise
        return _fail("not enough memory to start a thread")


def _fail(*messages: str) -> int:
    with suppress(OSError):  # where even that cannot be written
        sys.stderr.write("".join(f"clocklab: {printable(message)}\n" for message in messages))
    return 2


def read(file: str) -> tuple[bytes, str]:
    """Return the bytes of a file, or of standard input for ``-``, and the name to call it by in an error."""
    name = "standard input" if file == "-" else file or "''"
    try:
        return _buffer(sys.stdin).read() if file == "-" else Path(file).read_bytes(), name
    except OSError as error:
        error.filename = name
        raise


def _buffer(stream: Any) -> Any:
    """Return what holds the bytes of a standard stream, set to wait for its other end; OSError if it is closed."""
    if stream is None:
        raise OSError(errno.EBADF, os.strerror(errno.EBADF))
    with suppress(OSError, AttributeError):  # it is no file, or Windows cannot do it
        os.set_blocking(stream.fileno(), True)
    return stream.buffer


def emit(text: str, file: str | None = None) -> None:
    """Write a whole answer to a file, or to standard output for None, ``-`` and its name as a device."""
    if file not in STDOUT:
        return write_whole(Path(str(file)), text.encode())
    rest = text.encode()
    try:
        stream = _buffer(sys.stdout)
        while rest:  # where Python's buffers are switched off, one write may take a part only and say nothing
            rest = rest[stream.write(rest) :]
        stream.flush()
    except OSError as error:
        if sys.stdout is not None:
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or the exit would try, and fail, again
        error.filename = "standard output"
        raise


# The commands: a function that does the work, its docstring the help text, and a block below for its arguments.


def solve(arguments: argparse.Namespace) -> None:
    """Print the lexicographically first shortest sequence of moves that brings all nine clocks to 12, or to a goal.

    The line is empty where there is nothing to do.
    """
    from clocklab import judge, solvers

    text, name = read(arguments.file)
    states = judge.read_positions(text, arguments.notation, name, arguments.lines)
    goals = [judge.read_goal(os.fsencode(goal), arguments.notation) for goal in arguments.to]
    if arguments.lines:
        answers = judge.write_answers(solvers.press_vectors(arguments.by, goals)[states])
    else:
        answers = " ".join(map(str, solvers.solve(int(states[0]), arguments.by, goals))) + "\n"
    emit(answers, arguments.output)


def sawtooth(arguments: argparse.Namespace) -> None:
    """Print the fewest steps from the first picture to the second, one number a case; -1 where there are none.

    The input says how many cases there are; then come for each its two pictures, 26 lines each, and nine lines of
    teeth: left, top, right and bottom, 1 for a tooth.
    """
    from clocklab.judge import read_cases, write_steps
    from clocklab.sawtooth import fewest_steps, solve

    cases = read_cases(*read(arguments.file))
    if arguments.steps:
        answers = [write_steps(solve(case.board, case.goals)) for case in cases]
    else:
        numbers = [fewest_steps(case.board, case.goals) for case in cases]
        answers = ["-1" if number is None else str(number) for number in numbers]
    emit("".join(f"{answer}\n" for answer in answers), arguments.output)


def moves(arguments: argparse.Namespace) -> int:
    """Print what a set of moves can do to dials: what can be reached, in how many ways, and how far it is.

    MOVES is the name of a puzzle (clocks, merlin, rubiks-clock, orbix, lights-out-5, lights-out-5x6-torus-others,
    alien-tiles-7, rows-and-columns-4, ring-9, ...), or a word of letters for each move, with a step other than 1
    behind the dial: A2B-1 turns A two hours on and B one back. With --rows it is a file of numbers, one row for each
    move or dial. A state is a number for each dial, the hours past its top, and is solved when all are 0.
    """
    from clocklab.studies import movesets, puzzles

    if arguments.rows and arguments.dials is not None:
        return _fail("--dials: expected moves in letters, not a file")
    if arguments.rows:
        content, name = read(arguments.moves)
        table = movesets.read_matrix(content, arguments.rows, name)
    else:
        table = puzzles.named(arguments.moves, arguments.dials)
    table = replace(table, hours=table.hours if arguments.hours is None else arguments.hours)
    if arguments.solve is None:
        if arguments.to or arguments.lines or arguments.answer:
            return _fail("--to, --lines and --answer: expected --solve with them")
        emit(_labelled(movesets.report(table)), arguments.output)
        return 0
    text = read("-")[0].decode("latin-1") if arguments.solve == "-" else arguments.solve
    states = movesets.read_states(table, text, arguments.notation, arguments.lines)
    goals = [movesets.read_state(table, goal, arguments.notation, free=True) for goal in arguments.to]
    asked = goals, arguments.metric
    if arguments.answer:
        emit(
            "".join(f"{movesets.written(table, state, arguments.answer, *asked)}\n" for state in states),
            arguments.output,
        )
    else:
        emit(_labelled(movesets.answer(table, state, *asked) for state in states), arguments.output)
    return 0


def tables(arguments: argparse.Namespace) -> int:
    """Export the tables, as CSV and NumPy files with the same bytes at every run; or check that they are stored."""
    from clocklab.exports.tables import TABLES, save

    def surplus(name: str) -> bool:
        return name.endswith((".csv", ".csv.gz", ".npz"))

    return _export(arguments, TABLES, lambda name, folder: save(name, folder / name), surplus)


def figures(arguments: argparse.Namespace) -> int:
    """Export the figures, and the animations with PNG, with the same bytes at every run; or check what is stored."""
    os.environ["MPLBACKEND"] = "agg"  # whatever stood there might not even be importable
    from clocklab.exports.figures import FIGURES, FILMS, save

    known: dict[str, Any] = FIGURES | FILMS if arguments.format == "png" else FIGURES

    def store(name: str, folder: Path) -> None:
        save(known[name](), folder / f"{name}.{'gif' if name in FILMS else arguments.format}")

    endings = {"png": (".png", ".gif")}.get(arguments.format, f".{arguments.format}")
    return _export(arguments, known, store, lambda name: name.endswith(endings))


def _export(
    arguments: argparse.Namespace,
    known: dict[str, Any],
    save: Callable[[str, Path], None],
    surplus: Callable[[str], bool],
) -> int:
    """Save the chosen ones of the known tables or figures, list them, or compare them with what is stored."""
    if arguments.list:
        about = {name: (function.__doc__ or "").partition("\n")[0] for name, function in sorted(known.items())}
        emit("".join(f"{name:24} {sentence}".rstrip() + "\n" for name, sentence in about.items()))
        return 0
    if arguments.folder in known and not os.path.isdir(arguments.folder):
        return _fail(f"{arguments.folder}: expected a folder; one by name is --only {arguments.folder}")
    if unknown := [name for name in arguments.only if name not in known]:
        return _fail(f"{unknown[0]}: no such name; --list shows them")
    from tqdm import tqdm

    def export(folder: Path) -> None:
        for name in tqdm(arguments.only or known, arguments.run.__name__, disable=None):
            save(name, folder)

    if arguments.check:
        from clocklab.exports.checks import stale_files

        return _report(stale_files(Path(arguments.folder), export, (lambda _: False) if arguments.only else surplus))
    export(Path(arguments.folder))
    return 0


def _report(stale: Iterable[str]) -> int:
    """Print what is stale, and return the exit status that says so."""
    emit(lines := "".join(f"{printable(line)}\n" for line in stale))
    return 1 if lines else 0


def notebooks(arguments: argparse.Namespace) -> int:
    """Run notebooks and store each as its run left it; or check that they are stored like that."""
    from clocklab.notebooks import rerun, stale

    if arguments.check:
        return _report(stale(arguments.names))
    rerun(arguments.names)
    return 0


def _workers(arguments: argparse.Namespace) -> Any:
    """Return who is to do a long run: the executor that is named, or so many processes."""
    from clocklab.plumbing.work import named_executor

    return named_executor(arguments.executor) or arguments.workers


def survey(arguments: argparse.Namespace) -> int:
    """Examine many random boards of gears: what each reaches, how far, whether all states reach each other."""
    from clocklab.studies.survey import Sample, run

    if arguments.density is not None and arguments.teeth is not None:
        return _fail("--density and --teeth: expected one of them at most")
    sample = Sample(arguments.boards, arguments.seed, arguments.density, arguments.teeth)
    run(sample, Path(arguments.output), _workers(arguments))
    return 0


def census(arguments: argparse.Namespace) -> None:
    """Count exactly on how many of all boards of gears every state reaches every other.

    Interrupted, it resumes when it is run again.
    """
    from clocklab.studies import census

    folder = Path(arguments.output)
    results = census.run(folder / "chunks", _workers(arguments))
    from clocklab.exports.tables import save, sawtooth_census  # only now: while pandas loads, it swallows Ctrl-C

    census.save(results, folder / census.STORED)
    save(sawtooth_census(results), folder / "sawtooth_census.csv")


def hardest(arguments: argparse.Namespace) -> None:
    """Prove how far any state of gears is from any start, on all boards, and write down the hardest ones.

    Without numba it takes some hundred times as long. Interrupted, it resumes when it is run again.
    """
    from clocklab.studies.hardest import run, write

    folder = Path(arguments.output)
    rows = write(run(folder / "chunks", _workers(arguments)), folder)
    emit("".join(f"{row.steps} turns: {row.board} to {row.target}\n" for row in rows if row.steps == rows[0].steps))


def sawtooth_board(arguments: argparse.Namespace) -> None:
    """Print what is known of one board of gears: its class in the census, what its start reaches, and how far."""
    from clocklab.sawtooth import board_of
    from clocklab.studies import census

    emit(_labelled(census.report(board_of(" ".join(arguments.teeth)))), arguments.output)


def _labelled(facts: Iterable[tuple[str, str]]) -> str:
    return "".join(f"{label:21} {text}\n" for label, text in facts)


def _between(low: int, high: int, kind: Callable[[str], Any] = int) -> Callable[[str], Any]:
    """Return what reads an argument that is a number from low to high."""

    def number(text: str) -> Any:
        if not low <= (value := kind(text)) <= high:
            raise argparse.ArgumentTypeError(f"expected a number from {low} to {high}, got {text}")
        return value

    return number


def _teeth(text: str) -> range:
    ends = text.split("-")
    if len(ends) > 2 or not all(end.isdecimal() for end in ends) or not 0 <= int(ends[0]) <= int(ends[-1]) <= 36:
        raise argparse.ArgumentTypeError(f"expected 0 to 36, or two such numbers with a dash between, got {text}")
    return range(int(ends[0]), int(ends[-1]) + 1)


class _Parser(argparse.ArgumentParser):
    def _print_message(self, message: str, file: Any = None) -> None:
        emit(message)  # like any other answer: argparse would not say that it could not

    def error(self, message: str) -> Any:
        """Say what is wrong with the arguments in one line."""
        raise SystemExit(_fail(f"{message}; see {self.prog} --help"))


def _parser() -> _Parser:
    parser = _Parser("clocklab", description="The Clocks and the Sawtooth Puzzle, explored and exported.")
    parser.add_argument("--version", action="version", version=f"clocklab {__version__}")
    commands = parser.add_subparsers(metavar="COMMAND", required=True)

    def command(run: Command, example: str) -> Add:
        sentence = (run.__doc__ or "").partition("\n")[0]
        block = commands.add_parser(run.__name__.replace("_", "-"), help=sentence, allow_abbrev=False)
        block.description, block.epilog = run.__doc__, f"example: {example}"
        block.set_defaults(run=run)
        return block.add_argument

    _answers(command)
    _long_runs(command)
    _exports(command)
    return parser


def _answers(command: Begin) -> None:
    add = command(solve, "echo 9 9 12 6 6 6 6 3 6 | clocklab solve --notation hours")
    _reads_and_writes(add)
    notations = "hours: nine numbers out of 12, 3, 6, 9; quarters: nine digits 0 to 3, quarter turns past 12"
    add("--notation", required=True, choices=("hours", "quarters"), help=notations)
    add("--lines", action="store_true", help="read one position a line and print one answer a line")
    goal = "the position to reach (default: all at 12), with ? for a clock that does not matter; may be given again"
    add("--to", action="append", default=[], metavar="GOAL", help=goal)
    how = "the solver, all three give the same answer (default: enumeration)"
    add("--by", default="enumeration", choices=("search", "enumeration", "algebra"), help=how)

    add = command(sawtooth, "clocklab sawtooth cases.txt --steps")
    _reads_and_writes(add)
    add("--steps", action="store_true", help="print the steps as well: 2: (1,3) (2,1) for row 1, column 3 first")

    _asks_moves(command(moves, "clocklab moves 'AB BC CA' --hours 5 --solve 100"))

    add = command(sawtooth_board, "clocklab sawtooth-board 010100111001001111101011111100100110")
    teeth = "36 digits 0 or 1, in groups or not: left, top, right and bottom tooth of each cell, row by row"
    add("teeth", nargs="+", metavar="TEETH", help=teeth)
    _writes(add)


def _asks_moves(add: Add) -> None:
    names = "a named puzzle, moves in letters, or with --rows a file, - for standard input (default: clocks)"
    add("moves", nargs="?", default="clocks", metavar="MOVES", help=names)
    add(
        "--rows",
        choices=("moves", "dials"),
        help="MOVES is a file of numbers, and each of its rows is a move, or a dial",
    )
    add("--dials", type=int, metavar="N", help="how many dials there are (default: those that moves in letters name)")
    add("--hours", type=int, metavar="M", help="how many hours a dial has (default: the puzzle's own, else 4)")
    state = "print the cheapest answer to a state, or why it has none; - reads it from standard input"
    add("--solve", metavar="STATE", help=state)
    add("--lines", action="store_true", help="solve one state a line, and print one answer a line")
    goal = "the state to reach (default: all 0), with ? for a dial that does not matter; may be given again"
    add("--to", action="append", default=[], metavar="GOAL", help=goal)
    notations = "how states are written: steps from 0 to M - 1 (default), or hours of a clock such as 12, 3, 6, 9"
    add("--notation", default="steps", choices=("steps", "hours"), help=notations)
    forms = "print only presses of each move, moves one by one, or the distance; -1 for no answer"
    add("--answer", choices=("presses", "moves", "distance"), help=forms)
    metrics = "which cost to minimise (default: clockwise)"
    add("--metric", default="clockwise", choices=("clockwise", "quarter", "turn"), help=metrics)
    _writes(add)


def _long_runs(command: Begin) -> None:
    add = command(survey, "clocklab survey --boards 1000 --seed 1 -o survey.csv")
    add("--boards", type=_between(1, 10**7), required=True, metavar="N", help="how many boards to draw")
    add("--seed", type=_between(0, 2**63), required=True, metavar="S", help="the same seed draws the same boards")
    add("--density", type=_between(0, 1, float), metavar="P", help="the probability of each tooth (default: 0.5)")
    add("--teeth", type=_teeth, metavar="K", help="draw boards of K teeth; of 0, 1, ... 36 teeth in turn for 0-36")
    _works(add)
    add("-o", "--output", required=True, metavar="FILE", help="write this file, whole, when all boards are examined")

    add = command(census, "clocklab census -o census")
    _works(add)
    add("-o", "--output", required=True, metavar="FOLDER", help="the folder to keep finished work and results in")

    add = command(hardest, "clocklab hardest -o hardest")
    _works(add)
    add("-o", "--output", required=True, metavar="FOLDER", help="the folder to keep finished work and results in")


def _exports(command: Begin) -> None:
    _chooses(command(tables, "clocklab tables out --only clock_distribution.csv"), "data")

    add = command(figures, "clocklab figures out --format svg --only clock_distribution")
    _chooses(add, "data/figures")
    add("--format", default="png", choices=("png", "svg", "pdf"), help="the kind of picture (default: png)")

    add = command(notebooks, "clocklab notebooks --check 04")
    add("names", nargs="*", metavar="NAME", help="a notebook, such as 04 or 04_move_matrix (default: all)")
    _checks(add)


def _reads_and_writes(add: Add) -> None:
    add("file", nargs="?", default="-", metavar="FILE", help="what to read (default: -, standard input)")
    _writes(add)


def _writes(add: Add) -> None:
    add("-o", "--output", metavar="FILE", help="write this file, whole or not at all (default: standard output)")


def _works(add: Add) -> None:
    add("--workers", type=_between(1, 1000), metavar="W", help="how many processes work (default: one a core)")
    executors = "what works instead: package.module:function that returns a concurrent.futures.Executor"
    add("--executor", metavar="NAME", help=executors)


def _chooses(add: Add, folder: str) -> None:
    add("folder", nargs="?", default=folder, metavar="DIR", help=f"where to write (default: {folder}, from here)")
    add("--only", nargs="+", default=[], metavar="NAME", help="export these (default: all)")
    add("--list", action="store_true", help="write nothing, print the names")
    _checks(add)


def _checks(add: Add) -> None:
    add("--check", action="store_true", help="write nothing, print what is stale, exit with status 1 if any is")


if __name__ == "__main__":
    sys.exit(main())
