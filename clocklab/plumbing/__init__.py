"""What the rest stands on: errors in one line, files written whole, long runs in parallel.

Nothing here knows of a puzzle or imports from another room; what does belongs to the room that needs it.
"""
