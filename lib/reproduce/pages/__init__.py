"""What the press adds to the pages of a book: the ledger, the atlas, and the reference of a library."""
