"""What holds for every test."""

import signal

from hypothesis import settings

# Ctrl-C as in a terminal: what a script starts in the background ignores it, and tests of it would never end.
signal.signal(signal.SIGINT, signal.default_int_handler)

# The same examples at every run and no clock beside them: a busy machine is no failure, a failure comes again.
settings.register_profile("steady", deadline=None, derandomize=True)
settings.load_profile("steady")
