import torch


class Similarity(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.scale = torch.nn.Parameter(torch.tensor(2.0))

    def forward(self, x: torch.Tensor, y: torch.Tensor):
        x, y = x.half(), y.half()
        scaled = torch.mul(x, self.scale) + 1.5
        chosen = torch.where(x > 0, x, self.scale)
        return self.scale.exp() * x @ y.T, scaled, chosen


def accumulate(xs: list[torch.Tensor]):
    total = torch.zeros(3, dtype=torch.float16)
    for x in xs:
        total += x
    total *= 2
    return total, total.dtype.is_floating_point
