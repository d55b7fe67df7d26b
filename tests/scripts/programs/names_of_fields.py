"""Objects and configurations whose fields are called as the translation would call what it threads."""

import torch
import torch.nn as nn


class Config:
    key = "k"
    state: str = "s"
    params = 3


class Trainer:
    def __init__(self, model):
        self.model, self.other = model, nn.BatchNorm1d(2)
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1, momentum=0.9)
        self.state = "idle"
        self.opt_state = 0
        self.model_state = "mine"
        self.losses = []

    def step(self, x, y):
        self.state = "busy"
        self.optimizer.zero_grad()
        loss = ((self.model(x) - y) ** 2).mean()
        loss.backward()
        self.optimizer.step()
        self.opt_state += 1
        self.losses.append(loss.item())
        self.state = "idle"

    def predict(self, state, key="greedy"):
        out = self.model(self.other(state))
        state = out + state
        return state, key


class Pair:
    def __init__(self):
        self.first, self.second = nn.Sequential(nn.BatchNorm1d(2)), nn.Sequential(nn.BatchNorm1d(2))

    def forward(self, x):
        return self.second(self.first(x)).sum().item()

    def turn(self):
        self.first, self.second = self.second, self.first


first = nn.Linear(2, 2)
with torch.no_grad():
    first.weight.copy_(torch.tensor([[0.3, -0.2], [0.1, 0.4]]))
    first.bias.zero_()
model = nn.Sequential(first, nn.BatchNorm1d(2))
trainer = Trainer(model)
x = torch.arange(8.0).view(4, 2) / 8
for _ in range(3):
    trainer.step(x * x, x)
state, key = trainer.predict(x)
print(trainer.state, trainer.opt_state, trainer.model_state, trainer.losses)
print(state.tolist(), key, trainer.other.running_mean.tolist(), Config.key, Config().state, Config.params)
pair = Pair()
pair.forward(x)
pair.turn()
pair.forward(x * 3)
print(pair.first[0].running_mean.tolist(), pair.second[0].running_mean.tolist())
