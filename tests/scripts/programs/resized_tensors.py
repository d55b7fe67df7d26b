"""Tensors that are given their size where they are filled, as programs of older releases of torch do."""

import torch
import torch.nn as nn

net = nn.Linear(3, 1)
nn.init.constant_(net.weight, 0.5)
nn.init.zeros_(net.bias)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
input = torch.FloatTensor(4, 3)
label = torch.FloatTensor(4)
noise = torch.FloatTensor(4, 2)
for step in range(3):
    real = torch.arange(6.0 if step == 2 else 12.0).view(-1, 3) / 10
    batch_size = real.size(0)
    input.resize_(real.size()).copy_(real)
    label.resize_(batch_size).fill_(1)
    noise.resize_(batch_size, 2).normal_(0, 1)
    optimizer.zero_grad()
    loss = ((net(input).squeeze(1) - label) ** 2).mean()
    loss.backward()
    optimizer.step()
    print(round(loss.item(), 5), input.shape, label.sum().item(), noise.shape)

held = torch.zeros(2, 2)
held.resize_as_(input).copy_(input * 2)
print(held.tolist())
held.resize_((3, 2))
print(held.shape)
kept = torch.arange(6.0)
kept.resize_(2, 2)
print(kept.tolist())


def embedded_dropout(weight, words, dropout):
    mask = weight.data.new().resize_((weight.size(0), 1)).bernoulli_(1 - dropout).expand_as(weight) / (1 - dropout)
    return nn.functional.embedding(words, mask * weight)


rows = embedded_dropout(torch.ones(200, 6), torch.arange(200), 0.25)
print((rows[:, 0] == rows[:, 1]).all().item(), 20 < (rows[:, 0] == 0).sum().item() < 90)
