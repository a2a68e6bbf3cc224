"""Organism: elements eat, move and grow on a hexagonal board. knobs.py and spec.py say what is played; rules.py plays it."""
