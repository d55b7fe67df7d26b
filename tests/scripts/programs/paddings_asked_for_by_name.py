# also: nnx, linen
"""Blurs that pad by a layer whose class a function gives for a name, and paddings from tables and partials."""

from functools import partial

import numpy as np
import torch
import torch.nn as nn
import torch.nn.functional as F


def get_pad_layer(pad_type):
    if pad_type in ["refl", "reflect"]:
        PadLayer = nn.ReflectionPad2d
    elif pad_type in ["repl", "replicate"]:
        PadLayer = nn.ReplicationPad2d
    elif pad_type == "zero":
        PadLayer = nn.ZeroPad2d
    else:
        print("Pad type [%s] not recognized" % pad_type)
    return PadLayer


class BlurPool(nn.Module):
    def __init__(self, channels, pad_type="reflect", filt_size=4, stride=2, pad_off=0):
        super(BlurPool, self).__init__()
        self.filt_size = filt_size
        self.pad_sizes = [
            int(1.0 * (filt_size - 1) / 2),
            int(np.ceil(1.0 * (filt_size - 1) / 2)),
            int(1.0 * (filt_size - 1) / 2),
            int(np.ceil(1.0 * (filt_size - 1) / 2)),
        ]
        self.pad_sizes = [pad_size + pad_off for pad_size in self.pad_sizes]
        self.stride = stride
        self.channels = channels
        if self.filt_size == 3:
            a = np.array([1.0, 2.0, 1.0])
        else:
            a = np.array([1.0, 3.0, 3.0, 1.0])
        filt = torch.Tensor(a[:, None] * a[None, :])
        filt = filt / torch.sum(filt)
        self.register_buffer("filt", filt[None, None, :, :].repeat((self.channels, 1, 1, 1)))
        self.pad = get_pad_layer(pad_type)(self.pad_sizes)

    def forward(self, inp):
        return F.conv2d(self.pad(inp), self.filt, stride=self.stride, groups=inp.shape[1])


PADDINGS = {"reflect": nn.ReflectionPad1d, "replicate": nn.ReplicationPad1d}


class Smooth(nn.Module):
    def __init__(self, kind, around):
        super().__init__()
        self.pad = PADDINGS[kind](padding=1)
        self.around = around()
        pool = nn.PixelShuffle if kind == "reflect" else nn.PixelUnshuffle
        self.pool = pool(2)

    def forward(self, x, image):
        return self.pad(x).sum(-1), self.pool(self.around(image))


x = torch.arange(2 * 4 * 8 * 8, dtype=torch.float32).reshape(2, 4, 8, 8).sin()
for pad_type in ("reflect", "repl", "zero"):
    for size in (3, 4):
        y = BlurPool(4, pad_type, size)(x)
        print(pad_type, size, y.shape, float(y.sum()), float(y[0, 1, 0, 0]))
for kind in PADDINGS:
    a, b = Smooth(kind, partial(nn.ConstantPad2d, padding=(1, 1, 2, 2), value=0.5))(x[0, 0], x)
    print(kind, a.shape, float(a.sum()), b.shape, float(b.sum()), float(b.flatten()[7]))
