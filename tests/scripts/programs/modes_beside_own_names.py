# also: nnx, linen
"""Programs whose options, fields and methods have the name of a mode of Equinox, and options that raise KeyError for what they have not."""

import argparse

import torch
import torch.nn as nn


class dotdict(dict):
    def __getattr__(self, name):
        return self[name]


class Decoder(nn.Module):
    def __init__(self, args, settings, inference):
        super().__init__()
        self.args = args
        self.settings = settings
        self.inference = inference
        self.fc = nn.Linear(3, 2)
        self.drop = nn.Dropout(0.5)

    def forward(self, x):
        y = self.drop(self.fc(x)) * self.settings.scale
        if self.inference:
            y = y + 1
        return y.softmax(1) if self.args.inference else y


class Synthesizer(nn.Module):
    def __init__(self, args, settings, inference):
        super().__init__()
        self.decoder = Decoder(args, settings, inference)
        self.norm = nn.BatchNorm1d(2)
        self.out = nn.Linear(2, 1)

    def forward(self, x):
        return self.out(self.norm(self.decoder(x))) + float(self.training)

    def inference(self, x):
        return self.forward(x) * 2


parser = argparse.ArgumentParser()
parser.add_argument("--inference", action="store_true")
args = parser.parse_args([])
settings = dotdict({"scale": 2.0})
x = torch.sin(torch.arange(12.0)).reshape(4, 3)
for kept in (False, True):
    model = Synthesizer(args, settings, kept)
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.cos(torch.arange(p.numel(), dtype=torch.float32) + i).reshape(p.shape))
    model.eval()
    print(model(x).sum().item(), model.inference(x).sum().item(), model.decoder.inference, model.training)
    model.train()
    model.decoder.drop.eval()
    print(model(x).sum().item(), model.decoder.inference, model.training)
    model.train(False)
    print(model(x).sum().item(), model.norm.running_mean.sum().item(), model.decoder.inference, args.inference)
