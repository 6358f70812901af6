"""Sweeps: a chapter over a grid of parameters, its claims as one table, a summary and a page."""
