# also: nnx, linen
"""Parts of models, some with statistics, that get names of their own in one line."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, 4), nn.BatchNorm1d(4))
        self.head = nn.Linear(4, 2)
        self.width = 4

    def forward(self, x):
        body, head = self.body, self.head
        return head(torch.relu(body(x)))


def measure(model, x):
    body, head, width = model.body, model.head, model.width
    return head(body(x)) * width


net = Net()
for place, p in enumerate(net.parameters()):
    p.data.copy_(torch.linspace(-0.5, 0.8, p.numel()).reshape(p.shape) * (1 + 0.1 * place))
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
x, y = torch.linspace(-1, 1, 15).reshape(5, 3), torch.linspace(0, 1, 10).reshape(5, 2)
for _ in range(3):
    loss = nn.functional.mse_loss(net(x), y)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item())
net.eval()
first, last = net.body, net.head
print(measure(net, x).tolist())
print(last(first(x)).tolist(), first[1].running_mean.tolist())
