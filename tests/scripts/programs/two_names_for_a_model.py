"""A model that has a second name, as `m = model.to(device)` gives it one."""

import torch
import torch.nn as nn
from torch.nn import functional as F

device = "cuda" if torch.cuda.is_available() else "cpu"


class Net(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.table = nn.Embedding(5, width)
        self.head = nn.Linear(width, 5)
        with torch.no_grad():
            for p in self.parameters():
                p.copy_(torch.sin(torch.arange(p.numel()).float() * 1.3).view(p.shape))

    def forward(self, idx, targets=None):
        logits = self.head(self.table(idx))
        loss = None if targets is None else F.cross_entropy(logits.view(-1, 5), targets.view(-1))
        return logits, loss

    def best(self, idx):
        logits, _ = self(idx)
        return logits.argmax(-1)


@torch.no_grad()
def estimate_loss():
    model.eval()
    _, loss = model(torch.arange(5), torch.tensor([1, 2, 3, 4, 0]))
    model.train()
    return loss.item()


model = Net(4)
m = model.to(device)
print(sum(p.numel() for p in m.parameters()))
optimizer = torch.optim.AdamW(model.parameters(), lr=0.1)
for step in range(6):
    if step % 2 == 0:
        print(f"{estimate_loss():.4f}")
    idx = (torch.arange(10) + step) % 5
    logits, loss = model(idx, (idx + 1) % 5)
    optimizer.zero_grad(set_to_none=True)
    loss.backward()
    optimizer.step()
print(m.best(torch.arange(5)).tolist())


def fit(width):
    net = Net(width)
    alias = net
    optimizer = torch.optim.SGD(alias.parameters(), lr=0.5)
    for step in range(3):
        loss = alias(torch.arange(5), torch.tensor([1, 2, 3, 4, 0]))[1]
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    return net.head.bias.sum().item(), alias.table.weight.sum().item(), net(torch.arange(5))[0].sum().item()


print(["%.4f" % number for number in fit(3)])


def shadowed(model):
    other = model.train()

    def apply(model):
        return model(torch.arange(2))[0].sum() + other(torch.arange(2))[0].sum()

    return apply(Net(2)).item()


print("%.4f" % shadowed(m))
