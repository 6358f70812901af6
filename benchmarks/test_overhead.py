"""What the press adds to a chapter: kernel, papermill and claims, on a notebook that computes nothing.

The error column is the peak memory of the limit's computation, in gigabytes.
"""
