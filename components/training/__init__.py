"""Training: targets, loss, steps, and a trainer that can be killed at any moment. Importing this package is instant."""
