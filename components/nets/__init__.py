"""Nets: shapes, weights on disk, fast batched inference. Importing this package is instant; its modules bring torch."""
