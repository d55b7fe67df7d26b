# also: nnx, linen
"""Weights are tied where an option says so: loops over parameters in `__init__` then find one of the two, as elsewhere."""

import argparse
import torch
import torch.nn as nn


class LM(nn.Module):
    def __init__(self, n, d, tie_weights=False):
        super().__init__()
        self.encoder = nn.Embedding(n, d)
        self.decoder = nn.Linear(d, n)
        if tie_weights:
            # one matrix for both
            self.decoder.weight = self.encoder.weight  # tied
        self.init_weights()

    def init_weights(self):
        self.encoder.weight.data.fill_(0.3)
        self.decoder.bias.data.fill_(0.1)
        if self.decoder.weight.sum() != self.encoder.weight.sum():
            self.decoder.weight.data.fill_(0.2)

    def forward(self, x):
        return self.decoder(self.encoder(x))


class GPT(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.wte = nn.Embedding(config.n, config.d)
        self.fc = nn.Linear(config.d, config.d)
        self.lm_head = nn.Linear(config.d, config.n, bias=False)
        if config.tied:
            self.wte.weight = self.lm_head.weight
        self.apply(self._init_weights)

    def _init_weights(self, m):
        if isinstance(m, nn.Linear):
            nn.init.constant_(m.weight, 0.2)
            if m.bias is not None:
                nn.init.zeros_(m.bias)
        elif isinstance(m, nn.Embedding):
            nn.init.constant_(m.weight, 0.2)

    def forward(self, x):
        return self.lm_head(torch.tanh(self.fc(self.wte(x))))


class Numbered(nn.Module):
    def __init__(self, n, d, tie_weights=False):
        super().__init__()
        self.encoder = nn.Embedding(n, d)
        self.decoder = nn.Linear(d, n)
        if tie_weights:
            self.decoder.weight = self.encoder.weight
        self.init_weights()

    def init_weights(self):
        for i, p in enumerate(self.parameters()):
            p.data = torch.sin(torch.arange(p.numel()).float() + i).view_as(p) * 0.1

    def forward(self, x):
        return self.decoder(self.encoder(x))


parser = argparse.ArgumentParser()
parser.add_argument("--tied", action="store_true")
parser.add_argument("--n", type=int, default=5)
parser.add_argument("--d", type=int, default=3)
x = torch.arange(4)
for argv in ([], ["--tied"]):
    args = parser.parse_args(argv)
    for m in (LM(5, 3, args.tied), GPT(args), Numbered(5, 3, args.tied)):
        print(len(list(m.named_parameters())), m(x).sum().item())
        opt = torch.optim.SGD(m.parameters(), lr=0.1)
        for _ in range(2):
            opt.zero_grad()
            loss = m(x).pow(2).sum()
            loss.backward()
            opt.step()
        print(m(x).sum().item(), sum(p.numel() for p in m.parameters()))
