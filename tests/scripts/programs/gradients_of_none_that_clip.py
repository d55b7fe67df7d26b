# flagged: T2J200
"""Gradients of a model without an optimizer, which add up, decide how much those of another one are clipped."""

import numpy as np
import torch
import torch.nn as nn


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 5)

    def forward(self, x):
        return torch.tanh(self.fc(x))

    def fine_tune(self, fine_tune=True):
        for p in self.fc.parameters():
            p.requires_grad = fine_tune


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.out = nn.Linear(5, 1)

    def forward(self, h):
        return self.out(h)


def fill(net):
    for p in net.parameters():
        nn.init.constant_(p, 0.1)


def train(x, y, encoder, decoder, criterion, encoder_optimizer, decoder_optimizer):
    encoder.train()
    decoder.train()
    for i in range(3):
        h = encoder(x)
        loss = criterion(decoder(h), y)
        decoder_optimizer.zero_grad()
        if encoder_optimizer is not None:
            encoder_optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(list(encoder.parameters()) + list(decoder.parameters()), 0.1)
        decoder_optimizer.step()
        if encoder_optimizer is not None:
            encoder_optimizer.step()
        print("%.5f" % loss.item())


def main(fine_tune_encoder):
    rng = np.random.RandomState(0)
    x = torch.tensor(rng.randn(8, 4), dtype=torch.float32)
    y = torch.tensor(rng.randn(8, 1), dtype=torch.float32)
    decoder = Decoder()
    decoder_optimizer = torch.optim.Adam(decoder.parameters(), lr=0.05)
    encoder = Encoder()
    fill(encoder)
    fill(decoder)
    encoder_optimizer = torch.optim.Adam(encoder.parameters(), lr=0.1) if fine_tune_encoder else None
    criterion = nn.MSELoss()
    train(x, y, encoder, decoder, criterion, encoder_optimizer, decoder_optimizer)
    for p in encoder.parameters():
        print("%.5f" % p.sum().item())


main(True)
main(False)
