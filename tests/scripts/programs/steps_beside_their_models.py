import torch
from torch import nn


def start(model, k=1):
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.linspace(-0.9, 1, p.numel()).reshape(p.shape) * k)


def build(k):
    model = nn.Linear(3, 1)
    start(model, k)
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.5)

    def step(x, y):
        optimizer.zero_grad()
        loss = (model(x) - y).pow(2).mean()
        loss.backward()
        optimizer.step()
        return loss.item()

    return model, step


x = torch.linspace(-1, 1, 24).reshape(8, 3)
y = x.sum(1, keepdim=True)
net, step = build(1)
other, train = build(2)
for _ in range(3):
    print(step(x, y), train(x, y), net(x).sum().item())
print(net(x).sum().item(), other(x).sum().item())
