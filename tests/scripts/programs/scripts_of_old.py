# also: nnx linen
"""A script as it was written before torch 0.4: variables, `loss.item()`, devices asked for on every line."""

import torch
import torch.nn as nn
from torch.autograd import Variable

use_cuda = torch.cuda.is_available()


class Net(nn.Module):
    def __init__(self):
        super(Net, self).__init__()
        self.fc = nn.Linear(4, 3)

    def forward(self, x):
        x = Variable(x)
        return self.fc(x)


net = Net()
for i, p in enumerate(net.parameters()):
    p.data = torch.linspace(-1.0, 1.0, p.numel()).view(p.size()) + 0.1 * i
if use_cuda:
    net.cuda()
criterion = nn.MSELoss(size_average=False)
optimizer = torch.optim.SGD(net.parameters(), lr=0.01)
total = 0
for epoch in range(3):
    for batch in torch.arange(16.0).view(2, 2, 4):
        x, y = batch, batch[:, :3] * 0.5
        if use_cuda:
            x, y = x.cuda(), y.cuda()
        x, y = Variable(x), Variable(y)
        optimizer.zero_grad()
        loss = criterion(net(x), y)
        loss.backward()
        optimizer.step()
        total += loss.item()
    print(epoch, loss.item())
print(total)
