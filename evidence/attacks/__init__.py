"""Attacks on the press and the library: hostile input, faults, kills, forgeries, each with what must come of it.

``make attack`` runs a campaign of them. One file holds one class of attacks; an attack is a function that draws its
case from a generator and raises ``Bad`` with a reason if the outcome is not one that the book allows.
"""
