# also: nnx
# The state of an optimizer that was saved before its first step: loaded later, it makes the optimizer start anew.
import copy

import torch
import torch.nn as nn

for kind, options in ((torch.optim.Adam, {}), (torch.optim.SGD, {"momentum": 0.9}), (torch.optim.NAdam, {})):
    net = nn.Linear(3, 2)
    nn.init.constant_(net.weight, 0.2)
    nn.init.constant_(net.bias, 0.1)
    optimizer = kind(net.parameters(), lr=0.05, **options)
    memory = copy.deepcopy(net.state_dict()), copy.deepcopy(optimizer.state_dict())
    x = torch.arange(12.0).view(4, 3) / 10
    for attempt in range(2):
        for group in optimizer.param_groups:
            group["lr"] = 0.1 * (attempt + 1)
        for _ in range(3):
            optimizer.zero_grad()
            loss = (net(x) - 1).pow(2).mean()
            loss.backward()
            optimizer.step()
            print(attempt, loss.item(), net.weight.sum().item())
        net.load_state_dict(memory[0])
        optimizer.load_state_dict(memory[1])
        print(optimizer.param_groups[0]["lr"])
