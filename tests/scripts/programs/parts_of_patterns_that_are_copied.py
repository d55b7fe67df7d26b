# also: nnx, linen
"""Two layers are made of the same part, and only copies of the layers are kept: each copy has a part of its own."""

import copy

import torch
from torch import nn


class FeedForward(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.fc = nn.Linear(n, n)

    def forward(self, x):
        return torch.relu(self.fc(x))


class EncoderLayer(nn.Module):
    def __init__(self, n, attention, feed_forward):
        super().__init__()
        self.attention = attention
        self.feed_forward = feed_forward
        self.norms = get_clones(nn.LayerNorm(n), 2)
        self.n = n

    def forward(self, x):
        x = x + self.attention(self.norms[0](x))
        return x + self.feed_forward(self.norms[1](x))


class DecoderLayer(nn.Module):
    def __init__(self, n, attention, feed_forward):
        super().__init__()
        self.first = copy.deepcopy(attention)
        self.second = copy.deepcopy(attention)
        self.feed_forward = feed_forward
        self.n = n

    def forward(self, x, memory):
        return x + self.feed_forward(self.first(x) + self.second(memory))


class Encoder(nn.Module):
    def __init__(self, layer, number):
        super().__init__()
        assert isinstance(layer, EncoderLayer), f"Expected EncoderLayer got {type(layer)}."
        self.layers = get_clones(layer, number)
        self.norm = nn.LayerNorm(layer.n)

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return self.norm(x)


class Decoder(nn.Module):
    def __init__(self, layer, number):
        super().__init__()
        self.layers = get_clones(layer, number)
        self.norm = nn.LayerNorm(layer.n)

    def forward(self, x, memory):
        for layer in self.layers:
            x = layer(x, memory)
        return self.norm(x)


class Model(nn.Module):
    def __init__(self, n):
        super().__init__()
        attention = nn.Linear(n, n)
        feed_forward = FeedForward(n)
        encoder_layer = EncoderLayer(n, attention, feed_forward)
        decoder_layer = DecoderLayer(n, attention, feed_forward)
        self.encoder = Encoder(encoder_layer, 2)
        self.decoder = Decoder(decoder_layer, 2)
        self.init_params()

    def init_params(self):
        for i, p in enumerate(self.parameters()):
            nn.init.constant_(p, 0.1)

    def forward(self, x, y):
        return self.decoder(y, self.encoder(x))


def get_clones(module, number):
    return nn.ModuleList([copy.deepcopy(module) for _ in range(number)])


model = Model(4)
print(len(list(model.parameters())), sum(p.numel() for p in model.parameters()))
with torch.no_grad():
    for k, p in enumerate(model.parameters()):
        p.copy_(torch.linspace(-0.3, 0.05 * k, p.numel()).view_as(p))
x = torch.linspace(-1, 1, 12).view(3, 4)
print(model(x, x.flip(0)).tolist())
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for step in range(4):
    optimizer.zero_grad()
    loss = (model(x, x.flip(0)) - x).pow(2).mean()
    loss.backward()
    optimizer.step()
    print(loss.item())
