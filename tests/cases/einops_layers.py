import torch
from einops.layers.torch import Rearrange, Reduce


class Patches(torch.nn.Module):
    def __init__(self, sizes, arguments):
        super().__init__()
        names = {f"p{i}": size for i, size in enumerate(sizes)}
        self.cut = Rearrange("b (h p0) (w p1) -> b (h w) (p0 p1)", **names)
        self.pool = Reduce("b n d -> b d", "mean")
        self.other = Rearrange(*arguments)  # T2J201

    def forward(self, x):
        return self.pool(self.cut(x))
