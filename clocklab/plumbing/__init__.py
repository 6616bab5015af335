"""What the rest stands on and no puzzle knows of: errors, files written whole, long work in parallel."""
