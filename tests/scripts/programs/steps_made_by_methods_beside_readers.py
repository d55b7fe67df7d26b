# flagged: T2J303
import torch
from torch import nn


def start(model):
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.linspace(-0.9, 1, p.numel()).reshape(p.shape))


def make_eval(model):
    def evaluate(x):
        with torch.no_grad():
            return model(x).sum().item()

    return evaluate


class Stepper:
    def __init__(self, model, optimizer):
        self.model = model
        self.optimizer = optimizer
        self.step = self.make()

    def make(self):
        def step(x):
            self.optimizer.zero_grad()
            loss = self.model(x).pow(2).mean()
            loss.backward()
            self.optimizer.step()
            return loss.item()

        return step


net = nn.Linear(3, 1)
start(net)
evaluate = make_eval(net)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
s = Stepper(net, optimizer)
x = torch.linspace(-1, 1, 12).reshape(4, 3)
for _ in range(3):
    print(s.step(x))
print(evaluate(x))
