# also: nnx, linen
"""Encoders and decoders of torch, made of layers of torch and of the program, inside of modules and by themselves."""

import torch
from torch import nn


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_((torch.arange(p.numel(), dtype=torch.float32).reshape(p.shape) * 0.37 + i).sin() * 0.3)


class Classifier(nn.Module):
    def __init__(self, width, depth):
        super().__init__()
        layer = nn.TransformerEncoderLayer(width, 2, 8, dropout=0.0, batch_first=True)
        self.encoder = nn.TransformerEncoder(layer, depth, norm=nn.LayerNorm(width))
        self.head = nn.Linear(width, 2)

    def forward(self, x, mask=None):
        return self.head(self.encoder(x, mask=mask).mean(1))


def train(model, *inputs):
    fill(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
    for _ in range(3):
        loss = (model(*inputs) - 0.5).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(loss.item())


x = torch.linspace(-1, 1, 24).view(2, 3, 4)
model = Classifier(4, 2)
first, second = model.encoder.layers
print((first.linear1.weight - second.linear1.weight).abs().max().item(), len(list(model.parameters())))
print(list(model.state_dict())[:2], list(model.state_dict())[-4:])
train(model, x)
mask = torch.triu(torch.full((3, 3), float("-inf")), diagonal=1)
print(model(x, mask).sum().item())

layer = nn.TransformerDecoderLayer(4, 2, 8, dropout=0.0, batch_first=True)
decoder = nn.TransformerDecoder(layer, 2)
train(decoder, x, x.flip(1))
print(len(list(decoder.parameters())))


class Scaled(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.fc = nn.Linear(width, width)

    def forward(self, x, src_mask=None, src_key_padding_mask=None, is_causal=False):
        return x + torch.tanh(self.fc(x))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Transformer(4, 2, 1, 2, 8, dropout=0.0, batch_first=True)
        self.more = nn.ModuleList([Scaled(4) for _ in range(2)])

    def forward(self, src, tgt):
        x = self.body(src, tgt)
        for layer in self.more:
            x = layer(x)
        return x


net = Net()
print(sum(p.numel() for p in net.parameters()), [n for n in net.state_dict() if "norm" in n])
train(net, x, x.flip(0))
