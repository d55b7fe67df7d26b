# flagged: T2J303
# An object of another file keeps the state dict of the model that is trained here: it has what the training gives it.
import torch
import torch.nn as nn

from stopper import EarlyStopper, x


net = nn.Linear(3, 2)
with torch.no_grad():
    net.weight.fill_(0.5)
    net.bias.fill_(0.1)
stopper = EarlyStopper()
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(3):
    optimizer.zero_grad()
    loss = net(x).pow(2).mean()
    loss.backward()
    optimizer.step()
    stopper.step(i, net)
    print(loss.item())
net.load_state_dict(stopper.best_state["model"])
print(net(x).sum().item())
