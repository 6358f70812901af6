"""Sweeps: a chapter over a grid of parameters, on Dask; its claims as one table, a summary and a page."""
