"""What the press stands on: files and their reading, locks, errors in one line, the terminal."""
