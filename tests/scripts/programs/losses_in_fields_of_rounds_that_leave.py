# flagged: T2J500
# A round keeps its loss in a field of another object, and may leave before the step.
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


class State:
    loss = None


def main():
    net = Net()
    fill(net)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    state = State()
    rng = np.random.RandomState(0)
    for step in range(6):
        obs = rng.randn(3).astype(np.float32)
        logits, value = net(torch.from_numpy(obs))
        state.loss = (0.3 - value) ** 2
        if step % 3 == 1:
            continue
        opt.zero_grad()
        state.loss.backward()
        opt.step()
        print(step)
    print(state.loss.item())
    for step in range(2):
        state.loss = (net(torch.ones(3))[1] - 2 * step) ** 2
        if step == 1:
            break
        opt.zero_grad()
        state.loss.backward()
        opt.step()
    print(state.loss.item())
    for p in net.parameters():
        print(float(p.sum()))


main()
