"""What is known about torch's functions, methods, layers and optimizers, read from the mapping tables."""
