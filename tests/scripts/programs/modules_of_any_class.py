# also: linen
import torch
import torch.nn as nn


def fit(model, batches, optimizer):
    model.train()
    total = 0.0
    for x, y in batches:
        optimizer.zero_grad()
        loss = nn.functional.mse_loss(model(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item()
    return total


@torch.no_grad()
def evaluate(model, x, y):
    model.eval()
    return nn.functional.mse_loss(model(x), y).item()


class Residual(nn.Module):
    def __init__(self, fn):
        super().__init__()
        self.fn = fn

    def forward(self, x):
        return x + self.fn(x)


class Ensemble(nn.Module):
    def __init__(self, models):
        super().__init__()
        self.models = nn.ModuleList(models)

    def forward(self, x):
        return torch.stack([m(x) for m in self.models]).mean(0)


class Dropped(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        self.drop = nn.Dropout(0.0)

    def forward(self, x):
        return self.drop(self.fc(x))


def build(kind):
    table = {"linear": nn.Linear(2, 2), "dropped": Dropped(), "sequence": nn.Sequential(nn.Linear(2, 2), nn.Tanh())}
    return table[kind]


x, y = torch.tensor([[1.0, 2.0], [3.0, -1.0]]), torch.tensor([[0.5, 0.5], [1.0, 0.0]])
for kind in ("linear", "dropped", "sequence"):
    model = Ensemble([Residual(build(kind)), build(kind)])
    with torch.no_grad():
        for p in model.parameters():
            p.fill_(0.1)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.05)
    print(kind, evaluate(model, x, y), fit(model, [(x, y)] * 3, optimizer), evaluate(model, x, y))
