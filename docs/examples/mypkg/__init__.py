"""A project's own functions and layers, in PyTorch."""
