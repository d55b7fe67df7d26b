# also: nnx, linen
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, prj_sharing=True, emb_sharing=True):
        super().__init__()
        self.src = nn.Embedding(5, 4)
        self.trg = nn.Embedding(5, 4)
        self.prj = nn.Linear(4, 5, bias=False)
        if prj_sharing:
            self.prj.weight = self.trg.weight
        if emb_sharing:
            self.src.weight = self.trg.weight

    def forward(self, x):
        return self.prj(torch.tanh(self.src(x) + self.trg(x)))


for flags in ((True, True), (True, False), (False, True), (False, False)):
    net = Net(*flags)
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel()).float() * 0.7 + i).reshape(p.shape) * 0.5)
    states = net.state_dict()
    print(flags, [(n, round(v.sum().item(), 4)) for n, v in states.items()])
    other = Net(*flags)
    other.load_state_dict(states)
    x = torch.tensor([[0, 1, 2], [3, 4, 0]])
    print(other(x).sum().item(), sum(p.numel() for p in other.parameters()))
