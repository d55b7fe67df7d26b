# flagged: T2J303
import copy
import torch
import torch.nn as nn

model = nn.Linear(2, 1)
for p in model.parameters():
    p.data.fill_(0.5)
start = copy.deepcopy(model.state_dict())


def restore(start):
    for name, param in model.named_parameters():
        param.data = start[name]


x = torch.ones(3, 2)
for run in range(3):
    restore(start)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    for i in range(2):
        opt.zero_grad()
        loss = model(x).pow(2).mean()
        loss.backward()
        opt.step()
    print(run, "%.5f" % loss.item())
print(start["weight"].tolist())
