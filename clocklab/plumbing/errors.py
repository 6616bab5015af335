"""What is said of an input that cannot be read: one printable line, quoting no more than its reader needs."""


class ClocklabError(ValueError):
    """What the package says of what it was given."""


class InputError(ClocklabError):
    """An input that cannot be read; the message is one printable line that says where, and what was expected."""

    def __init__(self, message: str):
        """Keep the message, line ends and the like escaped."""
        super().__init__(printable(message))


def printable(text: str) -> str:
    r"""Return a text as one line: line ends and whatever else cannot be printed are written as escapes.

    >>> print(printable("two\nlines"))
    two\nlines
    """
    return "".join(c if c.isprintable() else ascii(c)[1:-1] for c in text)


def quoted(text: str | bytes, most: int = 40) -> str:
    """Return the beginning of a text in quotes, with dots after it where there is more.

    >>> quoted(b"330222212", most=4)
    "'3302'..."
    """
    return repr(text[:most]).removeprefix("b") + "..." * (len(text) > most)
