"""The only rooms that know Prefect and DVC, and the only ones that print."""
