# also: nnx, linen
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fc = nn.Linear(n, n)
        self.norm = nn.BatchNorm1d(n)

    def forward(self, x):
        return self.norm(self.fc(x))


class Criterion(nn.Module):
    def __init__(self, weight):
        super().__init__()
        self.register_buffer("weight", torch.full((1,), weight))

    def forward(self, y):
        return (y.square() * self.weight).mean()


def build(n):
    model = Net(n)
    criterion = Criterion(0.5)
    post = {"bbox": nn.ReLU()}
    return model, criterion, post


def build_model(n):
    return build(n)


def fill(net):
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.linspace(-1, 1, p.numel()).reshape(p.shape) * (i + 1) / 5)


torch.manual_seed(0)
model, criterion, post = build_model(4)
fill(model)
x = torch.linspace(0, 1, 12).reshape(3, 4) ** 2
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    loss = criterion(model(x))
    loss.backward()
    optimizer.step()
    print(loss.item())
print(model.norm.running_mean.tolist())
model.eval()
print(post["bbox"](model(x)).tolist())
