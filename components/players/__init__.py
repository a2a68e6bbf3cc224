"""Players: anything that picks actions, named by a short text such as `search:champion.safetensors,sims=200`."""
