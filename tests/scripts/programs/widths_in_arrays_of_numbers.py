# also: nnx
"""Widths of parts in arrays of NumPy, which one module takes from another."""

import numpy as np
import torch
import torch.nn as nn
from collections import OrderedDict


class Encoder(nn.Module):
    def __init__(self, layers):
        super().__init__()
        self.num_ch_enc = np.array([4, 4, 8])
        self.conv = nn.Conv2d(3, 4, 3, padding=1)
        if layers > 34:
            self.num_ch_enc[1:] *= 4

    def forward(self, x):
        self.features = []
        x = self.conv(x)
        self.features.append(x)
        self.features.append(x[:, :, ::2, ::2])
        self.features.append(torch.cat([x, x], 1)[:, :, ::4, ::4])
        return self.features


class Decoder(nn.Module):
    def __init__(self, num_ch_enc, scales=range(2), use_skips=True):
        super().__init__()
        self.use_skips = use_skips
        self.scales = scales
        self.num_ch_enc = num_ch_enc
        self.num_ch_dec = np.array([4, 8, 8])
        self.convs = OrderedDict()
        for i in range(1, -1, -1):
            num_ch_in = self.num_ch_enc[-1] if i == 1 else self.num_ch_dec[i + 1]
            num_ch_out = self.num_ch_dec[i]
            self.convs[("upconv", i, 0)] = nn.Conv2d(num_ch_in, num_ch_out, 1)
            num_ch_in = self.num_ch_dec[i]
            if self.use_skips and i > 0:
                num_ch_in += self.num_ch_enc[i - 1]
            self.convs[("upconv", i, 1)] = nn.Conv2d(num_ch_in, self.num_ch_dec[i], 1)
        print(num_ch_in, self.num_ch_dec)
        for s in self.scales:
            self.convs[("dispconv", s)] = nn.Conv2d(self.num_ch_dec[s], 1, 1)
        self.decoder = nn.ModuleList(list(self.convs.values()))
        self.sigmoid = nn.Sigmoid()

    def forward(self, input_features):
        self.outputs = {}
        x = input_features[-1]
        for i in range(1, -1, -1):
            x = self.convs[("upconv", i, 0)](x)
            x = [nn.functional.interpolate(x, scale_factor=2, mode="nearest")]
            if self.use_skips and i > 0:
                x += [input_features[i]]
            x = torch.cat(x, 1)
            x = self.convs[("upconv", i, 1)](x)
            if i in self.scales:
                self.outputs[("disp", i)] = self.sigmoid(self.convs[("dispconv", i)](x))
        return self.outputs


encoder = Encoder(18)
decoder = Decoder(encoder.num_ch_enc, use_skips=True)
for p in [*encoder.parameters(), *decoder.parameters()]:
    nn.init.constant_(p, 0.05)
encoder.eval()
decoder.eval()
with torch.no_grad():
    out = decoder(encoder(torch.arange(192.0).view(1, 3, 8, 8) / 192))
for k, v in sorted(out.items()):
    print(k, v.shape, v.mean().item())
