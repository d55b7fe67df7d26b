# also: nnx, linen
"""Sequences that grow in a loop over a configuration, whose values are tried; methods fill and read their layers."""

import numpy as np
import torch
import torch.nn as nn


class EmptyLayer(nn.Module):
    def __init__(self):
        super().__init__()


def create(blocks):
    module_list = nn.ModuleList()
    index = 0
    prev = 3
    for x in blocks:
        module = nn.Sequential()

        if x["type"] == "net":
            continue

        if x["type"] == "convolutional":
            try:
                bias = not int(x["bn"])
            except KeyError:
                bias = True
            conv = nn.Conv2d(prev, int(x["filters"]), 3, bias=bias)
            module.add_module("conv_{0}".format(index), conv)
            if not bias:
                bn = nn.BatchNorm2d(int(x["filters"]))
                module.add_module("batch_norm_{0}".format(index), bn)
            if x["act"] == "leaky":
                activn = nn.LeakyReLU(0.1, inplace=True)
                module.add_module("leaky_{0}".format(index), activn)
            prev = int(x["filters"])
        elif x["type"] == "route":
            route = EmptyLayer()
            module.add_module("route_{0}".format(index), route)
        module_list.append(module)
        index += 1
    return module_list


class Net(nn.Module):
    def __init__(self, blocks):
        super().__init__()
        self.blocks = blocks
        self.module_list = create(blocks)
        self.header = torch.IntTensor([0, 0, 0, 0])
        self.images = 0

    def load(self, weights):
        header = np.arange(4).astype("int32")
        self.header = torch.from_numpy(header)
        self.images = self.header[3]
        ptr = 0
        for i in range(len(self.module_list)):
            if self.blocks[i + 1]["type"] == "convolutional":
                model = self.module_list[i]
                try:
                    batch_normalize = int(self.blocks[i + 1]["bn"])
                except KeyError:
                    batch_normalize = 0
                conv = model[0]
                if batch_normalize:
                    bn = model[1]
                    num = bn.bias.numel()
                    bias = torch.from_numpy(weights[ptr : ptr + num])
                    ptr += num
                    mean = torch.from_numpy(weights[ptr : ptr + num])
                    ptr += num
                    bias = bias.view_as(bn.bias.data)
                    mean = mean.view_as(bn.running_mean)
                    bn.bias.data.copy_(bias)
                    bn.running_mean.copy_(mean)
                else:
                    num = conv.bias.numel()
                    bias = torch.from_numpy(weights[ptr : ptr + num])
                    ptr += num
                    conv.bias.data.copy_(bias.view_as(conv.bias.data))

    def saved(self):
        found = []
        for i in range(len(self.module_list)):
            if self.blocks[i + 1]["type"] == "convolutional":
                model = self.module_list[i]
                conv = model[0]
                if "bn" in self.blocks[i + 1]:
                    bn = model[1]
                    found.append(bn.bias.data.cpu().numpy().tolist())
                    found.append(bn.running_mean.cpu().numpy().tolist())
                else:
                    found.append(conv.bias.data.numpy().tolist())
        return found

    def forward(self, x):
        for i, block in enumerate(self.blocks[1:]):
            if block["type"] == "convolutional":
                x = self.module_list[i](x)
            else:
                x = x * 2
        return x


net = Net([{"type": "net"}, {"type": "convolutional", "filters": "4", "bn": "1", "act": "leaky"}, {"type": "route"}, {"type": "convolutional", "filters": "2", "act": "linear"}])
for p in net.parameters():
    nn.init.constant_(p, 0.1)
print(net(torch.ones(1, 3, 6, 6)).tolist(), list(net.state_dict()))
net.load(np.arange(1, 20).astype("float32"))
net.eval()
print(net.saved())
print(net(torch.ones(1, 3, 6, 6)).tolist())
print(net.header.tolist(), int(net.images))
