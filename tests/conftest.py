"""What holds for every test."""

from hypothesis import settings

# The same examples at every run and no clock beside them: a busy machine is no failure, a failure comes again.
settings.register_profile("steady", deadline=None, derandomize=True)
settings.load_profile("steady")
