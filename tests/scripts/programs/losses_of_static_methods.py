# also: nnx
import torch
import torch.nn as nn


class Agent:
    def __init__(self, net, lr):
        self.net = net
        self.optimizer = torch.optim.SGD(net.parameters(), lr=lr)
        self.seen = {}

    @staticmethod
    def td(q, target):
        return ((q - target) ** 2).mean()

    def update(self, x, target):
        return self.td(self.net(x).squeeze(-1), target)

    def log(self, loss):
        self.seen["loss"] = loss.item()
        return loss

    def step(self, x, target):
        loss = self.update(x, target)
        loss = self.log(loss)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return self.seen["loss"]


net = nn.Linear(3, 1)
nn.init.constant_(net.weight, 0.2)
nn.init.constant_(net.bias, 0.1)
agent = Agent(net, 0.1)
x = torch.sin(torch.arange(12.0)).reshape(4, 3)
for _ in range(3):
    print(agent.step(x, torch.ones(4)))
