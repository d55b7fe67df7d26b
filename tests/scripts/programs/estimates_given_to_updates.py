# also: nnx, linen
"""A method that steps with the loss of what it is given: estimates that one method computes, targets of one under `@torch.no_grad()`."""

import torch
from torch import nn


class Agent:
    def __init__(self, double):
        self.online = nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Linear(6, 2))
        self.target = nn.Sequential(nn.Linear(3, 6), nn.Tanh(), nn.Linear(6, 2))
        with torch.no_grad():
            for i, p in enumerate(self.online.parameters()):
                p.copy_(torch.sin(torch.arange(p.numel()).float() * 0.9 + i).view_as(p) * 0.4)
        self.target.load_state_dict(self.online.state_dict())
        self.optimizer = torch.optim.Adam(self.online.parameters(), lr=0.02)
        self.loss_fn = nn.SmoothL1Loss()
        self.gamma = 0.9
        self.double = double
        self.steps = 0

    def td_estimate(self, state, action):
        return self.online(state)[torch.arange(len(action)), action]

    @torch.no_grad()
    def td_target(self, reward, state, done):
        """The value of the best action of the next state."""
        following = self.target(state)
        if self.double:
            best = torch.argmax(self.online(state), axis=1)
            return (reward + (1 - done.float()) * self.gamma * following[torch.arange(len(best)), best]).float()
        return (reward + (1 - done.float()) * self.gamma * following.max(1)[0]).float()

    def update_online(self, estimate, target):
        loss = self.loss_fn(estimate, target)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def learn(self, batch):
        state, action, reward, following, done = batch
        self.steps += 1
        if self.steps % 3 == 0:
            self.target.load_state_dict(self.online.state_dict())
        estimate = self.td_estimate(state, action)
        target = self.td_target(reward, following, done)
        loss = self.update_online(estimate, target)
        return estimate.mean().item(), loss


class Regression:
    def __init__(self):
        self.model = nn.Linear(3, 1)
        nn.init.constant_(self.model.weight, 0.2)
        nn.init.zeros_(self.model.bias)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)

    def predict(self, x):
        return self.model(x).squeeze(1)

    @torch.no_grad()
    def teach(self, x):
        return x.sum(1)

    def fit(self, prediction, target, scale=1.0):
        error = (prediction - target) ** 2
        loss = scale * error.mean()
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss

    def run(self, x):
        return self.fit(self.predict(x), self.teach(x), scale=0.5).item()


state = torch.linspace(-1, 1, 15).view(5, 3)
batch = state, torch.tensor([0, 1, 1, 0, 1]), torch.linspace(0, 1, 5), state.flip(0), torch.tensor([0, 0, 1, 0, 1]).bool()
for double in (True, False):
    agent = Agent(double)
    for _ in range(5):
        mean, loss = agent.learn(batch)
        print(f"{mean:.5f} {loss:.5f}")
    print(agent.online[2].bias.tolist(), agent.target[2].bias.tolist())
regression = Regression()
print([round(regression.run(state), 5) for _ in range(4)], regression.model.weight.tolist())
