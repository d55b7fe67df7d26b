# also: nnx, linen
import sys
from importlib.machinery import ModuleSpec
from types import ModuleType

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


class Bar:
    def __init__(self, items, desc=None, total=None):
        self.items, self.desc = items, desc

    def __iter__(self):
        return iter(self.items)

    def __len__(self):
        return len(self.items)

    def __enter__(self):
        return self

    def __exit__(self, *args):
        pass

    def set_postfix(self, **values):
        print(self.desc, {name: round(value, 4) for name, value in values.items()})


sys.modules["tqdm"] = ModuleType("tqdm")
sys.modules["tqdm"].tqdm = Bar
sys.modules["tqdm"].__spec__ = ModuleSpec("tqdm", None)
sys.modules["feeds"] = ModuleType("feeds")
sys.modules["feeds"].twice = lambda items: [item for item in items for _ in range(2)]
sys.modules["feeds"].padded = lambda x, count: x if count == 0 else x[:count]

import feeds
import tqdm
from feeds import twice
from tqdm import tqdm as bar

data = torch.arange(24, dtype=torch.float32).reshape(8, 3) / 10
loader = DataLoader(TensorDataset(data, data.sum(1, keepdim=True)), batch_size=4)
net = nn.Linear(3, 1)
nn.init.constant_(net.weight, 0.1)
nn.init.constant_(net.bias, 0.0)
optimizer = torch.optim.SGD(net.parameters(), lr=0.05)

for epoch in range(2):
    progress = tqdm.tqdm(enumerate(loader), desc="train", total=len(loader))
    for i, (x, y) in progress:
        x, y = x.to("cpu"), y.view(-1, 1)
        loss = (net(x.unsqueeze(1).squeeze(1)) - y).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        progress.set_postfix(loss=loss.item(), seen=x.size(0))

total = 0
for x, y in bar(loader):
    total += x.size(0) * y.nelement()
print(total)

with tqdm.tqdm(loader, desc="test") as batches:
    for x, y in batches:
        batches.set_postfix(error=(net(x) - y).abs().max().item())

for x, y in feeds.twice(loader):
    print(x.permute(1, 0).size(0), y.squeeze(-1).dim())
for x, y in twice(loader):
    print(x.unsqueeze(0).size(1), y.nelement())
y = feeds.padded(data, 2)
print(y.size(0), y.flatten().unsqueeze(0).shape)


def evaluate(net, loader):
    seen, right = 0, 0
    progress = tqdm.tqdm(loader)
    for x, y in progress:
        x = x.to(torch.device("cpu"), non_blocking=True)
        right += (net(x) > 0.5).eq(y > 0.5).sum().item()
        seen += y.numel()
    return right / seen, len(progress)


print(evaluate(net, loader))
