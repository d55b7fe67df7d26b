# also: nnx, linen
import torch
from torch import nn


class Part(nn.Module):
    def __init__(self, n, d):
        super().__init__()
        self.emb = nn.Embedding(n, d)

    def forward(self, x):
        return self.emb(x)


class Net(nn.Module):
    def __init__(self, prj_sharing=True, emb_sharing=True):
        super().__init__()
        self.encoder = Part(5, 4)
        self.decoder = Part(5, 4)
        self.prj = nn.Linear(4, 5, bias=False)
        for p in self.parameters():
            if p.dim() > 1:
                nn.init.constant_(p, 0.25)
        if prj_sharing:
            self.prj.weight = self.decoder.emb.weight
        if emb_sharing:
            self.encoder.emb.weight = self.decoder.emb.weight

    def forward(self, x):
        return self.prj(torch.tanh(self.encoder(x) + self.decoder(x)))


for flags in ((True, True), (True, False), (False, True), (False, False)):
    net = Net(*flags)
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel()).float() * 0.7 + i).reshape(p.shape) * 0.5)
    print(flags, len(list(net.parameters())), [n for n, _ in net.named_parameters()])
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    x = torch.tensor([[0, 1, 2], [3, 4, 0]])
    for i in range(3):
        loss = net(x).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(loss.item())
