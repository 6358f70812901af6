"""How chapters are run: what a job is, who does it, when it must be done again, and the commands that ask for it."""
