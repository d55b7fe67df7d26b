# also: nnx, linen
"""State dicts have tied weights under both of their names."""

import torch
import torch.nn as nn


class LM(nn.Module):
    def __init__(self, tie=True):
        super().__init__()
        self.emb = nn.Embedding(7, 4)
        self.fc = nn.Linear(4, 4)
        self.head = nn.Linear(4, 7, bias=False)
        if tie:
            self.head.weight = self.emb.weight

    def forward(self, x):
        return self.head(torch.tanh(self.fc(self.emb(x))))


class Around(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleDict({"wte": nn.Embedding(5, 3), "fc": nn.Linear(3, 3)})
        self.out = nn.Linear(3, 5, bias=False)
        self.parts["wte"].weight = self.out.weight
        self.inner = LM()

    def forward(self, x):
        return self.out(self.parts["fc"](self.parts["wte"](x))).sum() + self.inner(x).sum()


def fill(m):
    with torch.no_grad():
        for i, p in enumerate(m.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) + i).reshape(p.shape))


x = torch.tensor([[1, 2, 3]])


def compare(m, other):
    fill(m)
    print([n for n, _ in m.named_parameters()], sum(p.numel() for p in m.parameters()))
    for k, v in m.state_dict().items():
        print(k, tuple(v.shape), v.sum().item())
    other.load_state_dict(m.state_dict())
    averaged = {k: (v + w) / 2 for (k, v), w in zip(m.state_dict().items(), other.state_dict().values())}
    other.load_state_dict(averaged)
    print(other(x).sum().item(), m(x).sum().item(), len(averaged))


compare(LM(), LM())
compare(LM(False), LM(False))
compare(Around(), Around())
