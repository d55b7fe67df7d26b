# also: nnx, linen
"""The last norms of an encoder and a decoder are two, also where a function gives all layers their first values."""

import torch
import torch.nn as nn


class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.net = nn.Transformer(8, 2, 1, 1, 16, dropout=0.0)
        print(sum(p.numel() for p in self.parameters()))
        self.apply(self._init)

    def _init(self, module):
        if isinstance(module, nn.LayerNorm):
            module.weight.data.add_(0.5)
            nn.init.normal_(module.bias)


net = Model().net
print(net.encoder.norm.weight.sum().item(), net.decoder.norm.weight.sum().item())
print(torch.equal(net.encoder.norm.bias, net.decoder.norm.bias))
