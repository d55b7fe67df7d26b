# also: nnx, linen
"""Classes with a gradient of their own that other files apply."""

import functions
import torch
import torch.nn as nn
from functions import ReverseLayerF, Round, WindowProcess, quantize
from nets import GradReverse, reverse


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.feature = nn.Linear(3, 4)
        self.head = nn.Linear(4, 2)
        self.reverse = GradReverse.apply

    def forward(self, x, alpha):
        feature = self.feature(x)
        back = ReverseLayerF.apply(feature, alpha)
        return self.head(back) + GradReverse.apply(reverse(feature)).sum() + self.reverse(x).mean()


torch.manual_seed(0)
net = Net()
for p in net.parameters():
    nn.init.constant_(p, 0.3)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.arange(6.0).view(2, 3) / 6
for step in range(3):
    optimizer.zero_grad()
    alpha = 2.0 / (1.0 + step) - 1
    loss = net(x, alpha).pow(2).mean()
    loss.backward()
    optimizer.step()
    print(step, loss.item(), net.feature.weight.sum().item())

w = torch.arange(16.0).view(2, 4, 2).requires_grad_()
windows = WindowProcess.apply(w, 2, 4, 2, -1, 2)
(windows * torch.arange(16.0).view(2, 2, 2, 2)).sum().backward()
print(windows.detach().flatten(), w.grad.flatten())
v = torch.linspace(-1, 1, 5).requires_grad_()
y = functions.Round.apply(v, 2) + quantize(v, 3) * Round.apply(v, 1)
y.sum().backward()
print(y.detach(), v.grad)
