"""`python -m torch2jax` is the command `torch2jax`."""

import sys

from torch2jax.cli import main

if __name__ == "__main__":
    sys.exit(main())
