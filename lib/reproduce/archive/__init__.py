"""The book to carry away: an archive of chapters that says what it vouches for and how each claim is checked."""
