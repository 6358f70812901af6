"""How the book draws: one style, films, and pictures with sliders."""
