"""Gradients are switched off for a whole file that trains, where the first step would stop."""

import torch
import torch.nn as nn

torch.set_grad_enabled(False)  # T2J200

net = nn.Linear(2, 1)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
loss = net(torch.ones(3, 2)).mean()
optimizer.zero_grad()
loss.backward()
optimizer.step()
