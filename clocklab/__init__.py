"""Two 3x3 puzzles of quarter-turn dials, The Clocks and the Sawtooth Puzzle, held in one 18-bit word."""
