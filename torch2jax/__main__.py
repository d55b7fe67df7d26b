"""`python -m torch2jax` is the command `torch2jax`."""

from torch2jax.cli import command

if __name__ == "__main__":
    command()
