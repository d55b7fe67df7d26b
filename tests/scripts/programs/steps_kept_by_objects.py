import torch
from torch import nn


def start(model, k=1):
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.linspace(-0.9, 1, p.numel()).reshape(p.shape) * k)


def make_step(model, optimizer):
    def step(x, y):
        optimizer.zero_grad()
        loss = (model(x) - y).pow(2).mean()
        loss.backward()
        optimizer.step()
        return loss.item()

    return step


x = torch.linspace(-1, 1, 24).reshape(8, 3)
y = x.sum(1, keepdim=True)
batches = [(x[:4], y[:4]), (x[4:], y[4:])]


class Runner:
    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer
        self.step = make_step(self.model, self.optimizer)

    def run(self):
        return [self.step(a, b) for a, b in batches]


net = nn.Linear(3, 1)
start(net)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
runner = Runner(net, optimizer)
print(runner.run())
print(net(x).sum().item(), runner.model(x).sum().item())
