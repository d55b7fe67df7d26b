import numpy as np
import torch
from torch import nn


def fill(net, shift=0.0):
    with torch.no_grad():
        for i, p in enumerate(net.parameters()):
            p.copy_(torch.linspace(-0.5 + shift, 0.5 + 0.1 * i, p.numel()).reshape(p.shape))


class Critic(nn.Module):
    """What an action is worth."""

    def __init__(self, sizes, lr, path=None):
        super(Critic, self).__init__()
        self.path = path
        self.sizes = sizes
        layers = []
        for a, b in zip(sizes[:-1], sizes[1:]):
            layers.append(nn.Linear(a, b))
            layers.append(nn.Tanh())
        self.body = nn.Sequential(*layers[:-1])
        self.epsilon = 1.0

        self.optimizer = torch.optim.Adam(self.parameters(), lr=lr)
        self.loss = nn.MSELoss()
        self.device = torch.device("cpu")
        self.to(self.device)

    def forward(self, state):
        return self.body(state)

    def act(self, state):
        if self.epsilon > 2.0:
            return 0
        return self(state).argmax().item()

    def soften(self, other, rate):
        for p, q in zip(other.parameters(), self.parameters()):
            p.data.copy_(p.data * (1.0 - rate) + q.data * rate)

    def cool(self):
        self.epsilon *= 0.9

    def save(self):
        torch.save(self.state_dict(), self.path)

    def load(self):
        self.load_state_dict(torch.load(self.path))


class Actor(nn.Module):
    def __init__(self, *, lr=0.01, width=4):
        super().__init__()
        self.data = []
        self.steps = 0
        self.norm = nn.BatchNorm1d(3)
        self.hidden = nn.Linear(3, width)
        self.mean = nn.Linear(width, 2)
        self.optimizer = torch.optim.SGD(self.parameters(), lr=lr, momentum=0.9)
        self.scheduler = torch.optim.lr_scheduler.StepLR(self.optimizer, 2, 0.5)
        self.log_alpha = torch.tensor(np.log(0.1), dtype=torch.float32)
        self.log_alpha.requires_grad = True
        self.log_alpha_optimizer = torch.optim.Adam([self.log_alpha], lr=0.01)

    def forward(self, x):
        return self.mean(torch.relu(self.hidden(self.norm(x))))

    def put(self, item):
        self.data.append(item)

    def learn(self, critic):
        states = torch.stack(self.data)
        self.data = []
        actions = self.forward(states)
        cost = -critic(states).mean() - (self.log_alpha.exp().detach() * actions).pow(2).mean()
        self.optimizer.zero_grad()
        cost.backward()
        self.optimizer.step()
        self.scheduler.step()
        self.log_alpha_optimizer.zero_grad()
        alpha_loss = (self.log_alpha.exp() * (actions.detach() + 1.0)).mean()
        alpha_loss.backward()
        self.log_alpha_optimizer.step()
        self.steps += 1
        return cost.item()
