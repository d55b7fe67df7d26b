"""The same functions and layers in JAX, written by hand."""
