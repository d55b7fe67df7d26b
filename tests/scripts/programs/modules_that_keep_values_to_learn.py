# also: nnx, linen
# An agent that is a module keeps what it computes when it acts in fields, for the method that trains it.
import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


def fill(model, scale=1.0):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(scale * torch.linspace(-0.4, 0.5, p.numel()).reshape(p.shape) * (1 + 0.1 * i))


class Net(nn.Module):
    def __init__(self, n=3, m=2):
        super().__init__()
        self.body = nn.Linear(n, 8)
        self.pi = nn.Linear(8, m)
        self.v = nn.Linear(8, 1)

    def forward(self, x):
        h = torch.tanh(self.body(x))
        return F.log_softmax(self.pi(h), -1), self.v(h).squeeze(-1)


class Agent(nn.Module):
    """the agent is a module itself"""
    def __init__(self):
        super().__init__()
        self.net = Net()
        self.optimizer = torch.optim.Adam(self.net.parameters(), lr=0.02)
        self.log_prob = None

    def choose(self, obs):
        logits, self.value = self.net(torch.from_numpy(obs))
        a = logits.argmax()
        self.log_prob = logits[a]
        return a.item()

    def learn(self, r):
        self.optimizer.zero_grad()
        adv = r - self.value
        loss = -self.log_prob * adv.detach() + adv ** 2
        loss.backward()
        self.optimizer.step()
        return loss.item()


agent = Agent()
fill(agent)
rng = np.random.RandomState(0)
for t in range(6):
    a = agent.choose(rng.randn(3).astype(np.float32))
    print(a, agent.learn(0.5 * a))
