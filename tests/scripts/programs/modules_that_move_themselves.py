# also: nnx
import torch
import torch.nn as nn


class Policy(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        self.scale = torch.tensor([1.5, 2.0])
        self.masks = [torch.ones(2), torch.zeros(2)]

    def forward(self, x):
        return self.fc(x) * self.scale + self.masks[0]

    def to(self, device):
        self.scale = self.scale.to(device)
        self.masks = [m.to(device) for m in self.masks]
        return super().to(device)


class Wrapped(nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Policy()
        self.steps = 0

    def forward(self, x):
        return self.inner(x)

    def to(self, *args, **kwargs):
        self = super().to(*args, **kwargs)
        self.inner.scale = self.inner.scale.to(*args, **kwargs)
        return self

    def cuda(self, device=None):
        super().cuda(device)
        return self

    def parameters(self):
        return list(super().parameters())[:1]

    def trainable(self):
        return [p for p in super().parameters()]


device = torch.device("cpu")
p = Policy().to(device)
with torch.no_grad():
    for q in p.parameters():
        q.fill_(0.5)
w = Wrapped().to(device)
with torch.no_grad():
    for q in w.inner.parameters():
        q.fill_(0.25)
opt = torch.optim.SGD(p.parameters(), lr=0.1)
for _ in range(2):
    loss = p(torch.ones(3, 2)).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
print(w(torch.ones(1, 2)).sum().item(), len(w.parameters()), len(w.trainable()))
