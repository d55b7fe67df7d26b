# also: nnx, linen
"""Variables of a script under names of builtins, which its loaders, losses and norms need as well."""
import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset
loader = DataLoader(TensorDataset(torch.arange(6.), torch.arange(6.)), batch_size=2)
max = 3
sum = torch.zeros(1)
list = [1, 2]
input = torch.ones(2, 3)
net = nn.Sequential(nn.Linear(3, 4), nn.ReLU(), nn.Linear(4, 1))
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.fill_(0.1 * (i + 1))
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for iter in range(2):
    for (x, y) in loader:
        sum += x.sum()
        print(iter, x.sum().item())
len = input.std(dim=1)
zip, type, tuple = 1, "a", (1, 2)
out = net(input)
loss = nn.functional.cross_entropy(out.repeat(1, 3), torch.tensor([0, 2]), reduction="mean") + out.norm()
opt.zero_grad()
loss.backward()
torch.nn.utils.clip_grad_norm_(net.parameters(), max)
opt.step()
id = 0
all = [p.sum().item() for p in net.parameters()]
print(sum.item(), list, len.tolist(), zip, type, tuple, id, all, round(loss.item(), 5))


def start():
    global next, iter
    next, iter = loader.dataset[1], 7


start()
print(next[0].item(), iter, nn.functional.normalize(input, dim=1).sum().item())
