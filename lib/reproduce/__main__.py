"""``python -m reproduce``."""

from reproduce.cli import main

if __name__ == "__main__":
    main()
