# also: nnx, linen
# Penalties over parameters that every round computes, and only some rounds train with.
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(3, 4)
        self.fc2 = nn.Linear(4, 1)
        with torch.no_grad():
            for p in self.parameters():
                p.copy_(0.3 * torch.cos(0.7 * torch.arange(float(p.numel()))).reshape(p.shape))

    def forward(self, x):
        return self.fc2(torch.tanh(self.fc1(x)))

    def penalty(self):
        return sum(p.pow(2).sum() for p in self.parameters())


def weights(net):
    total = 0.0
    for name, p in net.named_parameters():
        if "weight" in name:
            total = total + p.abs().sum()
    return total


net = Net()
opt = torch.optim.SGD(net.parameters(), lr=0.05)
for i in range(5):
    x = torch.sin(torch.arange(12.0) + i).reshape(4, 3)
    l2 = net.penalty()
    l1 = weights(net)
    print(l1.item(), l2.item())
    if i % 2 == 0:
        loss = (net(x) - 1).pow(2).mean() + 0.1 * l2 + 0.01 * l1
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(loss.item())
print(net.fc1.weight.sum().item(), net.fc2.bias.sum().item())
