# flagged: T2J502, also: nnx
"""Parameters of which a value says whether they are trained, where the parameters that are trained are counted."""

import torch
import torch.nn as nn


def positional_encoding(pe, learn_pe, q_len, d_model):
    if pe is None:
        W_pos = torch.empty((q_len, d_model))
        nn.init.uniform_(W_pos, -0.02, 0.02)
        learn_pe = False
    elif pe == "zeros":
        W_pos = torch.zeros((q_len, d_model))
    else:
        raise ValueError(pe)
    return nn.Parameter(W_pos, requires_grad=learn_pe)


class Net(nn.Module):
    def __init__(self, learn):
        super().__init__()
        self.W_pos = positional_encoding("zeros", learn, 3, 4)
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        return self.fc(x + self.W_pos)


def fill(net):
    with torch.no_grad():
        for i, p in enumerate(net.fc.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * 0.7 + i).view(p.shape) * 0.3)


x = torch.linspace(-1, 1, 24).view(2, 3, 4)
for learn in (True, False):
    net = Net(learn)
    fill(net)
    opt = torch.optim.Adam(net.parameters(), lr=0.05)
    for _ in range(3):
        opt.zero_grad()
        loss = (net(x) - 0.5).pow(2).mean()
        loss.backward()
        opt.step()
        print(loss.item())
    print(net.W_pos.sum().item(), sum(p.numel() for p in net.parameters() if p.requires_grad))
