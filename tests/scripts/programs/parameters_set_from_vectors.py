# also: nnx, linen
"""Parameters that are set from one vector: a search around the best one, and a walk between two models."""
import torch
import torch.nn as nn
from torch.nn.utils import parameters_to_vector, vector_to_parameters


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv1d(2, 3, 2)
        self.fc = nn.Linear(3, 1)

    def forward(self, x):
        return self.fc(torch.tanh(self.conv(x)).mean(-1))


net, other = Net(), Net()
for i, p in enumerate(net.parameters()):
    nn.init.constant_(p, 0.1 * (i + 1))
for i, p in enumerate(other.parameters()):
    nn.init.constant_(p, -0.2 * (i + 1))
x = torch.sin(torch.arange(16.0)).view(2, 2, 4)


def score(net):
    with torch.no_grad():
        return -(net(x) - 1).pow(2).mean().item()


best = parameters_to_vector(net.parameters()).detach()
reached = score(net)
for i in range(5):
    tried = best + 0.1 * torch.cos(torch.arange(best.numel()).float() * (i + 1))
    vector_to_parameters(tried, net.parameters())
    now = score(net)
    if now > reached:
        best, reached = tried, now
print(reached)

start = parameters_to_vector(net.parameters()).detach()
end = parameters_to_vector(other.parameters()).detach()
for alpha in (0.0, 0.5, 1.0):
    torch.nn.utils.vector_to_parameters(start * (1 - alpha) + end * alpha, net.parameters())
    print(score(net), net.conv.weight.sum().item())
