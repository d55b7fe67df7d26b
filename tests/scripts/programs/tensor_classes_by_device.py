# also: nnx, linen
"""Classes of tensors that go by the device, as names, fields and first values."""

import numpy as np
import torch
import torch.nn as nn
from torch.autograd import Variable

use_cuda = torch.cuda.is_available()
Tensor = torch.cuda.FloatTensor if use_cuda else torch.Tensor
half = torch.cuda.DoubleTensor if torch.cuda.is_available() else torch.DoubleTensor
kinds = torch.cuda if use_cuda else torch
if use_cuda:
    FloatTensor = torch.cuda.FloatTensor
    LongTensor = torch.cuda.LongTensor
    Other = torch.cuda.FloatTensor
else:
    FloatTensor = torch.FloatTensor
    LongTensor = torch.LongTensor
    Other = torch.Tensor


class Maker:
    def __init__(self):
        self.Tensor = torch.cuda.FloatTensor if use_cuda else torch.Tensor
        self.ids = torch.cuda.LongTensor if use_cuda else torch.LongTensor

    def make(self, data):
        kept = data if isinstance(data, torch.Tensor) else torch.ones(1, dtype=torch.long).type(self.Tensor)
        return self.Tensor(data), self.ids([1, 2]), kept / 3


def cast(x, Tensor=torch.cuda.FloatTensor if use_cuda else torch.FloatTensor):
    return x.type(Tensor) + Tensor([1.0])


x = torch.arange(4)
print(x.type(FloatTensor) / 3, x.type(LongTensor), FloatTensor(2, 3).fill_(2).sum().item(), LongTensor([3, 4]))
print(x.type(torch.Tensor) / 7, x.type(Other) / 3, Other([2, 5]), cast(x))
print(x.type(half).float() / 3, kinds.FloatTensor([1, 2]), kinds.LongTensor(np.array([1, 2])))
for item in Maker().make(np.array([1.5, 2.0])):
    print(item)

net = nn.Linear(4, 2)
with torch.no_grad():
    net.weight.copy_(torch.arange(8.0).reshape(2, 4) / 8)
    net.bias.zero_()
patch = (1, 2)
opt = torch.optim.Adam(net.parameters(), lr=0.1)
for i in range(3):
    batch = {"A": torch.from_numpy(np.arange(12).reshape(3, 4) + i)}
    x = Variable(batch["A"].type(Tensor))
    valid = Variable(Tensor(np.ones((x.size(0), 2))), requires_grad=False)
    fake = Variable(Tensor(x.size(0), *patch).fill_(0.5), requires_grad=False)
    opt.zero_grad()
    loss = ((net(x) - valid) ** 2).mean() + ((net(x) - fake.squeeze(1)) ** 2).mean()
    loss.backward()
    opt.step()
    print(loss.item(), valid.dtype == torch.float32, fake.shape)
