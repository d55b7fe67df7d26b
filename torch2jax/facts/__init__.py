"""What is known about a program. Nothing here changes it, and nothing here knows of JAX."""
