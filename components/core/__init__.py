"""What every room needs and no room owns: compiled kernels, random streams, whole files, errors."""
