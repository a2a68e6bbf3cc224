"""Players: anything that picks actions, named by a short text such as `search:champion,sims=200`."""
