# also: nnx, linen
"""Each call trains the member of an ensemble that it is given the number of, and clips its gradients."""

import torch
from torch import nn, optim
import torch.nn.functional as F

X = torch.tensor([[0.1, 0.2], [0.3, -0.4], [0.5, 0.6]])
Y = torch.tensor([[1.0], [2.0], [3.0]])


class Net(nn.Module):
    def __init__(self, scale=1.0):
        super().__init__()
        self.fc1 = nn.Linear(2, 3)
        self.fc2 = nn.Linear(3, 1)
        for k, p in enumerate(self.parameters()):
            nn.init.constant_(p, 0.1 * (k + 1) * scale)

    def forward(self, x):
        return self.fc2(torch.tanh(self.fc1(x)))


def show(models):
    for m in models:
        print([round(v, 5) for v in m(X).flatten().tolist()])


class BootDQN:
    def __init__(self, n):
        self.q_nets = [Net() for _ in range(n)]
        self.target_nets = [Net() for _ in range(n)]
        self.optimizers = []
        for i in range(n):
            self.target_nets[i].load_state_dict(self.q_nets[i].state_dict())
            self.target_nets[i].eval()
            self.optimizers.append(optim.RMSprop(self.q_nets[i].parameters(), lr=0.01))

    def learn(self, k, x, y):
        q = self.q_nets[k](x)
        with torch.no_grad():
            t = self.target_nets[k](x)
        loss = F.smooth_l1_loss(q, y + 0.9 * t)
        self.optimizers[k].zero_grad()
        loss.backward()
        torch.nn.utils.clip_grad_norm_(self.q_nets[k].parameters(), 0.5)
        self.optimizers[k].step()
        return loss.item()

    def sync(self):
        for k in range(len(self.q_nets)):
            self.target_nets[k].load_state_dict(self.q_nets[k].state_dict())


d = BootDQN(2)
for t in range(4):
    print(round(d.learn(t % 2, X, Y), 5))
    if t == 1:
        d.sync()
show(d.q_nets)
show(d.target_nets)
