import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


class A(nn.Module):
    def __init__(self, n=5):
        super().__init__()
        self.l = nn.Linear(4, n)
        nn.init.constant_(self.l.weight, 0.1)
        nn.init.zeros_(self.l.bias)

    def forward(self, x):
        return self.l(x) * torch.arange(5.0)


class B(A):
    def __init__(self, n=5):
        super().__init__(n)
        self.b = nn.BatchNorm1d(4)

    def forward(self, x):
        return self.l(self.b(x)) * torch.arange(5.0)


class C(B):
    def forward(self, x):
        return self.l(self.b(x * 2)) * torch.arange(5.0)


def build(kind):
    if kind == "none":
        return None
    if kind == "b":
        first = B()
        first.l.weight.data.mul_(2)
        return first
    elif kind == "c":
        other = C()
        return other
    elif kind == "bare":
        m = nn.Linear(4, 5)
        nn.init.constant_(m.weight, 0.3)
        nn.init.zeros_(m.bias)
        return m
    return A()


def two(swap):
    one, other = B(), C()
    with torch.no_grad():
        one(torch.ones(3, 4) * torch.arange(3.0)[:, None])
    if swap:
        return other
    return one


x = torch.sin(torch.arange(12.0)).reshape(3, 4)
y = torch.tensor([1, 2, 4])


def fit(net, steps=3):
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for _ in range(steps):
        loss = F.cross_entropy(net(x), y)
        opt.zero_grad()
        loss.backward()
        opt.step()
    net.eval()
    print(loss.item(), net(x).sum().item())
    net.train()


for kind in ["b", "c", "bare", "a", "none"]:
    net = build(kind)
    if net is None:
        print("no model")
        continue
    fit(net)
for swap in [False, True]:
    net = two(swap)
    fit(net)
