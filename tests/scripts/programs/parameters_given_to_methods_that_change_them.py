# also: nnx, linen
import copy
import torch
import torch.nn as nn


class Agent:
    def __init__(self):
        self.net = nn.Linear(2, 1)
        nn.init.constant_(self.net.weight, 1.0)
        nn.init.constant_(self.net.bias, 0.5)
        self.target = copy.deepcopy(self.net)
        self.tau = 0.5
        self.opt = torch.optim.SGD(self.net.parameters(), lr=0.1)

    def soft_update(self, target_params, params):
        for t, p in zip(target_params, params):
            t.data.copy_(self.tau * p.data + (1 - self.tau) * t.data)

    @staticmethod
    def clip(params, limit):
        for p in params:
            p.data.clamp_(-limit, limit)

    def learn(self, x):
        loss = self.net(x).pow(2).mean()
        self.opt.zero_grad()
        loss.backward()
        self.opt.step()
        self.clip(self.net.parameters(), 0.8)
        self.soft_update(self.target.parameters(), self.net.parameters())
        return loss.item()


agent = Agent()
for i in range(3):
    print(agent.learn(torch.ones(2, 2)))
print(agent.target.weight.tolist(), agent.net.bias.tolist())
