"""GOLAD, the Game of Life and Death: two colours of Conway's life, one kill, birth or pass before every generation."""
