try:
    import torch
    from torch.nn.functional import silu
except ImportError:
    torch = None
    silu = None

try:
    from torch.nn.functional import scaled_dot_product_attention as attention
except ImportError:
    attention = None


def f(x: "torch.Tensor"):
    return silu(x)
