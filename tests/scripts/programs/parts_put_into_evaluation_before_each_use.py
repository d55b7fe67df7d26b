# also: nnx
import torch
from torch import nn


class Quantizer(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.norm = nn.BatchNorm1d(dim)
        self.drop = nn.Dropout(0.5)
        self.fc = nn.Linear(dim, dim)

    def forward(self, x):
        return self.drop(self.fc(self.norm(x)))


class Model(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.policy = nn.Linear(dim, dim)
        self.ref = Quantizer(dim)

    def forward(self, x):
        with torch.no_grad():
            self.ref.eval()
            target = self.ref(x) + self.ref.fc(x)
        return (self.policy(x) - target).square().mean()


class Tokens(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.proj = nn.Linear(dim, dim)
        self.vq = Quantizer(dim)

    def forward(self, x, fast=False):
        x = self.proj(x)
        self.vq.eval()
        out = self.vq(x)
        return out



def run(net):
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape) * (i + 1) / 5)
    x = torch.linspace(0, 1, 12).reshape(3, 4)
    net.train()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(3):
        optimizer.zero_grad()
        loss = net(x).square().mean()
        loss.backward()
        optimizer.step()
        print(loss.item())
    print([p.sum().item() for p in net.parameters()])
    print([b.tolist() for b in net.buffers()])


torch.manual_seed(0)
run(Model(4))
run(Tokens(4))
