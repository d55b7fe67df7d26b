"""einops: what a pattern makes has as many axes as it says, and what several tensors are put into is new."""

import torch
import torch.nn as nn
from einops import einsum, pack, rearrange, reduce, repeat, unpack
from einops.layers.torch import Rearrange

torch.manual_seed(0)


class Tokenizer(nn.Module):
    def __init__(self, layers):
        super().__init__()
        sizes = [3, *[4] * layers]
        self.conv_layers = nn.Sequential(
            *[
                nn.Sequential(nn.Conv2d(a, b, 3, padding=1, bias=False), nn.LeakyReLU())
                for a, b in zip(sizes, sizes[1:])
            ]
        )
        for p in self.parameters():
            nn.init.constant_(p, 0.1)

    def forward(self, x):
        return rearrange(self.conv_layers(x), "b c h w -> b (h w) c")


class Head(nn.Module):
    def __init__(self):
        super().__init__()
        self.cls_token = nn.Parameter(torch.full((4,), 0.5))
        self.pos_embedding = nn.Parameter(torch.linspace(0, 1, 40).view(1, 10, 4))

    def forward(self, x):
        x += 1.0
        cls_tokens = repeat(self.cls_token, "d -> b d", b=x.shape[0])
        x, shapes = pack([cls_tokens, x], "b * d")
        x += self.pos_embedding
        x[:, 0] *= 2.0
        cls_tokens, x = unpack(x, shapes, "b * d")
        scores = einsum(cls_tokens, x, "b d, b n d -> b n")
        scores += 1.0
        return reduce(x, "b n d -> b d", "mean") + rearrange([scores, scores], "two b n -> b two n").mean().sin()


class Net(nn.Module):
    """A layer that holds nothing may have two names."""

    def __init__(self):
        super().__init__()
        self.tokenizer, self.head = Tokenizer(2), Head()
        to_rows = Rearrange("b d -> b 1 d")
        self.to_rows = to_rows
        self.gate = nn.Sequential(nn.Tanh(), to_rows)

    def forward(self, x):
        x = self.tokenizer(x)
        x = self.head(x)
        return self.gate(x) + self.to_rows(x)


net = Net()
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
images = torch.sin(torch.arange(54.0)).view(2, 3, 3, 3)
for _ in range(3):
    loss = net(images).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item())
print(images.sum().item())
