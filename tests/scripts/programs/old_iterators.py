# also: nnx, linen
"""A batch asked for by `loader.__iter__()`, as old programs write it, and variables around what nothing says the type of."""

import torch
import torch.nn as nn
from torch.autograd import Variable
from torch.utils.data import DataLoader, TensorDataset


def score(net, images):
    return net(Variable(images).cuda() if torch.cuda.is_available() else Variable(images))


torch.manual_seed(0)
net = nn.Linear(3, 2)
with torch.no_grad():
    net.weight.fill_(0.5)
    net.bias.fill_(0.1)
loader = DataLoader(TensorDataset(torch.arange(12.0).reshape(4, 3), torch.arange(4)), batch_size=2)
images, labels = next(loader.__iter__())
print(images.sum().item(), labels.tolist())
print(score(net, images).sum().item())
for batch in [pair for pair in loader.__iter__()]:
    print(Variable(batch[0]).cpu().mean().item(), net(Variable(batch[0]).data).max().item())
