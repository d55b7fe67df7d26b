# also: nnx, linen
"""Losses with `int(done)` and `float(reward)` of what an environment gives, of which nothing is known."""

import pickle

import torch
import torch.nn as nn


class Critic(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(3, 8), nn.Linear(8, 1)

    def forward(self, x):
        return self.fc2(torch.tanh(self.fc1(x)))


class Agent:
    def __init__(self, gamma):
        self.gamma = gamma
        self.critic = Critic()
        self.optimizer = torch.optim.Adam(self.critic.parameters(), lr=0.01)

    def learn(self, state, reward, new_state, done):
        self.optimizer.zero_grad()
        value_, value = self.critic(new_state), self.critic(state)
        delta = float(reward) + self.gamma * value_.detach() * (1 - int(done)) - value
        loss = delta.pow(2).sum() * (1 + 0.5 * int(done))
        loss.backward()
        self.optimizer.step()
        return loss.item()


agent = Agent(0.9)
with torch.no_grad():
    for p in agent.critic.parameters():
        p.copy_(torch.linspace(-0.5, 0.7, p.numel()).view_as(p))
state = torch.tensor([1.0, -2.0, 0.5])
for i in range(5):
    new_state = 0.8 * state + 0.1
    reward, done = pickle.loads(pickle.dumps((new_state.sum().item(), i == 4)))
    print(agent.learn(state, reward, new_state, done))
    state = new_state
