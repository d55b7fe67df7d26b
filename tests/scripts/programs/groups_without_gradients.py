# also: nnx, linen
"""Steps that do not reach all parameters, with an optimizer of all of them and with groups."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(3, 4)
        self.head = nn.Linear(4, 1)
        self.aux = nn.Linear(4, 2)
        self.drop = nn.Dropout(0.0)

    def forward(self, x, targets=None):
        h = torch.tanh(self.a(x))
        if targets is not None:
            return self.head(h), self.aux(self.drop(h)).sum()
        return self.head(h), None


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * (0.1 + 0.01 * i)).reshape(p.shape) * 0.3)


def run(opt, model, x, y):
    for step in range(4):
        out, aux = model(x, y if step % 2 else None)
        loss = (out - y).pow(2).mean()
        if aux is not None:
            loss = loss + 0.1 * aux
        opt.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(model.parameters(), 1.0)
        opt.step()
        print(loss.item())
    print([round(p.abs().sum().item(), 4) for p in model.parameters()])


x = torch.linspace(-1, 1, 12).reshape(4, 3)
y = torch.ones(4, 1)
model = Net()
fill(model)
run(torch.optim.AdamW(model.parameters(), lr=0.01, weight_decay=0.1), model, x, y)
model = Net()
fill(model)
run(torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=0.01), model, x, y)
model = Net()
fill(model)
opt = torch.optim.AdamW(
    [{"params": model.a.parameters(), "lr": 0.1}, {"params": [*model.head.parameters(), *model.aux.parameters()]}],
    lr=0.01,
)
for step in range(3):
    loss = model(x)[0].pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
print([round(p.abs().sum().item(), 4) for p in model.parameters()])
