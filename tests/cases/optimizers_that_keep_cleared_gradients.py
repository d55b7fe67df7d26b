import torch
import torch.nn as nn
from torch.optim.optimizer import Optimizer

class Diff(Optimizer):  # T2J206
    def __init__(self, params, lr=0.1):
        super().__init__(params, dict(lr=lr))

    def step(self):
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                grad = p.grad.data
                state = self.state[p]
                if len(state) == 0:
                    state["previous"] = torch.zeros_like(p.data)
                diff = state["previous"] - grad
                state["previous"] = grad
                p.data.add_(diff, alpha=group["lr"])  # T2J301

net = nn.Linear(3, 2)
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.sin(torch.arange(p.numel()).float() * 1.3 + i).view(p.shape))
optimizer = Diff(net.parameters())
x = torch.sin(torch.arange(12.0)).view(4, 3)
for _ in range(4):
    optimizer.zero_grad(set_to_none=False)
    loss = net(x).pow(2).sum()
    loss.backward()
    optimizer.step()
    print(loss.item())
