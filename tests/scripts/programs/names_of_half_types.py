# also: nnx linen
"""`x.type() == "torch.HalfTensor"`, seeds and noise as programs for one GPU write them."""

import torch
import torch.multiprocessing as mp
from torch import nn


class Invert(nn.Module):
    def __init__(self):
        super().__init__()
        self.w = nn.Parameter(torch.tensor([[2.0, 1.0], [0.0, 1.0]]))

    def forward(self, z):
        w = self.w
        if z.type() == "torch.cuda.HalfTensor":
            w = w.half()
        if z.type() != "torch.BFloat16Tensor":
            w = w * 2
        return z @ w


def noisy(images, eps):
    torch.cuda.random.manual_seed(0)
    torch.cuda.random.manual_seed_all(0)
    return images + torch.randn_like(images).uniform_(-eps, eps)


def main():
    mp.set_start_method("spawn", force=True)
    net = Invert()
    print(net(torch.ones(1, 2)).tolist())
    x = noisy(torch.ones(50, 4), 0.1)
    print((x - 1).abs().max().item() <= 0.1, (x - 1).abs().max().item() > 0.05)
    weight = nn.Parameter(torch.tensor([1.0, -2.0]))
    optimizer = torch.optim.ASGD([weight], lr=0.1, t0=0, lambd=0.0, weight_decay=0.01)
    for _ in range(3):
        optimizer.zero_grad()
        weight.square().sum().backward()
        optimizer.step()
    print(weight.tolist())


if __name__ == "__main__":
    main()
