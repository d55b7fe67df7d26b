# A program.
"""What it does with torch."""

import torch  # the library


# above f
def f(x: torch.Tensor):
    """Doubles torch tensors."""
    # inside
    y = torch.add(x, x)  # beside

    # before the end
    return y
    # after


# the end
