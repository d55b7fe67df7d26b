"""Values that objects keep for later steps, where the gradient cannot go on."""

import torch
import torch.nn as nn
import torch.nn.functional as F


class Net(nn.Module):
    def __init__(self, n=3, m=2):
        super().__init__()
        self.body = nn.Linear(n, 8)
        self.pi = nn.Linear(8, m)
        self.v = nn.Linear(8, 1)

    def forward(self, x):
        h = torch.tanh(self.body(x))
        return F.log_softmax(self.pi(h), -1), self.v(h).squeeze(-1)


class Shared:
    """What a field keeps goes into a difference that two steps share."""
    def __init__(self):
        self.actor, self.critic = Net(), Net(3, 1)
        self.opt_a = torch.optim.Adam(self.actor.parameters(), lr=0.01)
        self.opt_c = torch.optim.Adam(self.critic.parameters(), lr=0.02)

    def act(self, obs):
        x = torch.as_tensor(obs).float()
        dist = torch.distributions.Categorical(logits=self.actor(x)[0])
        a = dist.probs.argmax()
        self.log_prob, self.entropy = dist.log_prob(a), dist.entropy()
        self.value = self.critic(x)[1]
        return a.item()

    def update(self, reward, next_obs, done):
        next_value = self.critic(torch.as_tensor(next_obs).float())[1].detach()
        td = reward + 0.9 * next_value * (1 - done) - self.value
        actor_loss = -self.log_prob * td.detach() - 0.01 * self.entropy
        critic_loss = td.pow(2)
        self.opt_a.zero_grad()  # T2J500
        actor_loss.backward()
        self.opt_a.step()  # T2J500
        self.opt_c.zero_grad()
        critic_loss.backward()  # T2J500
        self.opt_c.step()
        return actor_loss.item(), critic_loss.item()


class Trainer:
    """The loss of another method uses what a third one has computed, and calls a module itself."""
    def __init__(self):
        self.model, self.head = Net(), nn.Linear(2, 2)
        self.opt = torch.optim.SGD([*self.model.parameters(), *self.head.parameters()], lr=0.05)

    def encode(self, x):
        self.logp, self.value = self.model(x)

    def compute(self, y):
        self.loss = F.cross_entropy(self.head(self.logp), y) + self.value.mean()

    def update(self):
        self.opt.zero_grad()  # T2J500
        self.loss.backward()  # T2J500
        self.opt.step()  # T2J500
        return self.loss.item()


class Loop:
    def __init__(self, trainer):
        self.trainer = trainer

    def first(self, x, y):
        self.trainer.encode(x)
        self.trainer.compute(y)

    def run(self, x, y):
        self.first(x, y)
        return self.trainer.update()


class Twice:
    """Two lines give the field a value."""

    def __init__(self):
        self.net = Net()
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def act(self, obs):
        self.value = self.net(obs)[1]

    def guess(self, obs):
        self.value = 2 * self.net(obs)[1]

    def learn(self, r):
        loss = (r - self.value) ** 2
        self.opt.zero_grad()  # T2J500
        loss.backward()  # T2J500
        self.opt.step()  # T2J500
        return loss.item()


twice = Twice()
twice.act(torch.ones(3))
print(twice.learn(1.0))
shared = Shared()
shared.act([1.0, 2.0, 3.0])
print(shared.update(1.0, [1.0, 2.0, 3.0], 0.0))
loop = Loop(Trainer())
print(loop.run(torch.ones(4, 3), torch.tensor([0, 1, 1, 0])))
