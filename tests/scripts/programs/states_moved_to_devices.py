# also: nnx
"""Helpers that move the states of optimizers to a device, as programs have them behind load_state_dict."""

import torch
import torch.nn as nn


def optimizer_to(optim, device):
    for param in optim.state.values():
        if isinstance(param, torch.Tensor):
            param.data = param.data.to(device)
            if param._grad is not None:
                param._grad.data = param._grad.data.to(device)
        elif isinstance(param, dict):
            for subparam in param.values():
                if isinstance(subparam, torch.Tensor):
                    subparam.data = subparam.data.to(device)
                    if subparam._grad is not None:
                        subparam._grad.data = subparam._grad.data.to(device)


net = nn.Linear(3, 2)
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.linspace(-0.6, 0.7, p.numel()).reshape(p.shape))
x = torch.linspace(-1, 2, 12).reshape(4, 3)
device = torch.device("cuda" if torch.cuda.is_available() else "cpu")


def train(net, optimizer, n):
    for _ in range(n):
        optimizer.zero_grad()
        loss = (net(x) - 1).pow(2).mean()
        loss.backward()
        optimizer.step()
        print(loss.item())


optimizer = torch.optim.Adam(net.parameters(), lr=0.1)
train(net, optimizer, 2)
again = torch.optim.Adam(net.parameters(), lr=0.1)
again.load_state_dict(optimizer.state_dict())
for state in again.state.values():
    for k, v in state.items():
        if torch.is_tensor(v):
            state[k] = v.to(device)
train(net, again, 2)
optimizer_to(again, device)
train(net, again, 2)
