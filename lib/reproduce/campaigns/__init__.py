"""What tests the book as a whole, for hours: fresh seeds, other parameters, the paper's scale, benchmarks, and more.

Each campaign keeps its findings below ``evidence/records``; they are of a release, and no commit has to renew them.
"""

MOST_SEEDS = 100  # of a chapter
