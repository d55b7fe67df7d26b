"""Source text and its concrete syntax tree: reading, walking, quoting and editing; knows nothing of torch or JAX."""
