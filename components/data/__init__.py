"""Self-play data: Parquet shards, the window that trains the next net, batches. Importing this package is instant."""
