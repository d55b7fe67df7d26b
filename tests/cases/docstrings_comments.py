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


def g(x: torch.Tensor):
    z = torch.add(x, x)

    # above the block
    with torch.no_grad():
        # in the block
        y = torch.mul(z, 2)
    return z - y


# the end
