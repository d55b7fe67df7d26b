# flagged: T2J605, also: nnx, linen
"""A base class prunes the parts of classes that derive from it, by a method that some of these parts have."""

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


class MaskedLinear(nn.Linear):
    def __init__(self, in_features, out_features, bias=True):
        super(MaskedLinear, self).__init__(in_features, out_features, bias)
        self.register_buffer("mask", torch.ones(out_features, in_features))

    def forward(self, input):
        return F.linear(input, self.weight * self.mask, self.bias)

    def prune(self, threshold):
        weight_dev = self.weight.device
        tensor = self.weight.data.cpu().numpy()
        mask = self.mask.data.cpu().numpy()
        new_mask = np.where(abs(tensor) < threshold, 0, mask)
        self.weight.data = torch.from_numpy(tensor * new_mask).to(weight_dev)
        self.mask.data = torch.from_numpy(new_mask).to(weight_dev)


class PruningModule(nn.Module):
    def prune_by_std(self, s=0.25):
        for name, module in self.named_modules():
            if name in ["fc1", "fc2"]:
                threshold = np.std(module.weight.data.cpu().numpy()) * s
                print(f"{name}: {threshold:.5f}")
                module.prune(threshold)


class Net(PruningModule):
    def __init__(self):
        super(Net, self).__init__()
        self.fc1 = MaskedLinear(4, 5)
        self.fc2 = MaskedLinear(5, 3)

    def forward(self, x):
        return self.fc2(F.relu(self.fc1(x)))


net = Net()
for i, p in enumerate(net.parameters()):
    p.data.copy_(torch.sin(torch.arange(p.numel()).float() * 1.3 + i).view(p.shape))
x = torch.cos(torch.arange(8.0)).view(2, 4)
print(net(x).sum().item())
net.prune_by_std(0.8)
print(net(x).sum().item(), net.fc1.mask.sum().item(), net.fc2.mask.sum().item())
