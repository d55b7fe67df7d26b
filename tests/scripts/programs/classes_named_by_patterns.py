# also: nnx, linen
"""Classes whose names are put together: by evaluated texts, of this file, and out of the names that a file has."""

import json
import os
import sys
import tempfile

import torch
from torch import nn


class EncoderWide(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.body = nn.Linear(4, width)

    def forward(self, x):
        return torch.relu(self.body(x))


class EncoderNorm(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.norm = nn.BatchNorm1d(4)

    def forward(self, x):
        return self.norm(x)


class EncoderNone(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.width = width

    def forward(self, x):
        return x


def get_encoder(kind):
    kind = kind.lower().capitalize()
    return eval("Encoder{}".format(kind))


class Model(nn.Module):
    def __init__(self, encoder, width):
        super().__init__()
        self.encoder = encoder(width)
        self.head = nn.Linear(4, 2)

    def forward(self, x):
        return self.head(self.encoder(x))


def fill(model):
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.linspace(-1, 1, p.numel()).view_as(p))
    return model


def make(kind, width):
    kind = kind.lower().capitalize()
    model = Model(get_encoder(kind), width)
    model.kind = kind  # to make it again
    return model


x = torch.linspace(-1, 1, 12).view(3, 4)
for kind in ("wide", "NORM", "none"):
    model = fill(make(kind, 4))
    print(model.kind, model(x).tolist())
    model.eval()
    print(model(x).tolist())

with tempfile.TemporaryDirectory() as folder:
    place = os.path.join(folder, "model.json")
    with open(place, "w") as file:
        json.dump({"kind": model.kind, "width": 4}, file)
    with open(place) as file:
        config = json.load(file)
again = fill(make(config["kind"], config["width"]))
print(again.kind, again(x).tolist())

this = sys.modules[__name__]
print(fill(getattr(this, "EncoderWide")(3))(x).tolist())
print(fill(globals()["Encoder" + "Wide"](2))(x).tolist())
name = "Norm"
found = fill(globals()[f"Encoder{name}"](2))
print(found(x).tolist())
