"""The chapters of a book: where they stand, their parameters and what is allowed, lists of them, a new one."""
