# also: nnx, linen
"""Weights and statistics of layers in a list, filled one after the other from a file of numbers."""

import numpy as np
import torch
import torch.nn as nn


def block(n, bn):
    layers = [nn.Conv2d(n, 2, 1, bias=not bn)]
    if bn:
        layers.append(nn.BatchNorm2d(2))
    layers.append(nn.LeakyReLU(0.1))
    return nn.Sequential(*layers)


class Darknet(nn.Module):
    def __init__(self, defs):
        super().__init__()
        self.defs = defs
        self.module_list = nn.ModuleList([block(2, d["bn"]) for d in defs])
        self.count = 0

    def load_weights(self, weights):
        ptr = 0
        for i in range(len(self.module_list)):
            model = self.module_list[i]
            conv = model[0]
            if self.defs[i]["bn"]:
                bn = model[1]
                num = bn.bias.numel()
                bias = torch.from_numpy(weights[ptr : ptr + num])
                ptr += num
                scale = torch.from_numpy(weights[ptr : ptr + num])
                ptr += num
                mean = torch.from_numpy(weights[ptr : ptr + num])
                ptr += num
                var = torch.from_numpy(weights[ptr : ptr + num])
                ptr += num
                bias = bias.view_as(bn.bias.data)
                mean = mean.view_as(bn.running_mean)
                bn.bias.data.copy_(bias)
                bn.weight.data.copy_(scale)
                bn.running_mean.copy_(mean)
                bn.running_var.copy_(var)
            else:
                num = conv.bias.numel()
                conv_bias = torch.from_numpy(weights[ptr : ptr + num])
                ptr += num
                conv.bias.data.copy_(conv_bias.view_as(conv.bias.data))
            num = conv.weight.numel()
            conv_weight = torch.from_numpy(weights[ptr : ptr + num])
            ptr += num
            conv.weight.data.copy_(conv_weight.view_as(conv.weight.data))
        return ptr

    def load_pairs(self, weights):
        ptr = 0
        for i, (definition, module) in enumerate(zip(self.defs, self.module_list)):
            conv_layer = module[0]
            if definition["bn"]:
                bn_layer = module[1]
                num_b = bn_layer.bias.numel()
                bn_b = torch.from_numpy(weights[ptr : ptr + num_b]).view_as(bn_layer.bias)
                bn_layer.bias.data.copy_(bn_b)
                ptr += num_b
                bn_rm = torch.from_numpy(weights[ptr : ptr + num_b]).view_as(bn_layer.running_mean)
                bn_layer.running_mean.data.copy_(bn_rm)
                ptr += num_b
            else:
                conv_layer.bias.data.copy_(torch.from_numpy(weights[ptr : ptr + 2]))
                ptr += 2

    def forward(self, x):
        for d, module in zip(self.defs, self.module_list):
            x = module(x)
        return x


net = Darknet([{"bn": 1}, {"bn": 0}, {"bn": 1}])
weights = np.arange(1, 60).astype("float32") / 10
read = net.load_weights(weights)
print(read)
x = torch.arange(16.0).reshape(2, 2, 2, 2)
net.eval()
print(net(x).tolist())
net.train()
print(net(x).tolist(), net.module_list[0][1].running_var.tolist())
net.load_pairs(weights[::-1].copy())
net.eval()
print(net(x).tolist())
