# also: nnx, linen
"""Encoder and decoder of a transformer that are called one by one, as translation does."""

import torch
import torch.nn as nn


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * 0.7 + i).view(p.shape) * 0.3)


class Translator(nn.Module):
    def __init__(self, words=9, dim=8):
        super().__init__()
        self.source = nn.Embedding(words, dim)
        self.target = nn.Embedding(words, dim)
        self.transformer = nn.Transformer(
            d_model=dim, nhead=2, num_encoder_layers=1, num_decoder_layers=1, dim_feedforward=16, dropout=0.0
        )
        self.head = nn.Linear(dim, words)

    def forward(self, src, tgt, mask):
        return self.head(self.transformer(self.source(src), self.target(tgt), tgt_mask=mask))

    def encode(self, src):
        return self.transformer.encoder(self.source(src))

    def decode(self, tgt, memory, mask):
        return self.transformer.decoder(self.target(tgt), memory, mask)


model = Translator()
fill(model)
src = torch.arange(10).view(5, 2) % 9
tgt = (torch.arange(8).view(4, 2) * 2) % 9
mask = torch.triu(torch.full((4, 4), float("-inf")), diagonal=1)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
for _ in range(2):
    loss = nn.functional.cross_entropy(model(src, tgt, mask).reshape(-1, 9), tgt.reshape(-1))
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
model.eval()
memory = model.encode(src)
print(memory.sum().item(), model.head(model.decode(tgt, memory, mask)).abs().sum().item())
print(
    sum(p.numel() for p in model.transformer.encoder.parameters()), model.transformer.encoder(model.source(src)).shape
)
