"""The press: runs a book's chapters, judges what they claim, and prints the ledger and the pages.

It knows nothing of the book's subject and would serve a book on any other.
"""
