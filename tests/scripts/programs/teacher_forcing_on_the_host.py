# also: nnx
"""A loss over a sequence whose length and target are rebound among its lines, with draws of Python and of NumPy's generators."""

import random

import numpy as np
import torch
import torch.nn as nn


class Decoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 4)
        nn.init.constant_(self.fc.weight, 0.1)
        nn.init.constant_(self.fc.bias, 0.2)

    def forward(self, trg, ratio):
        outputs = torch.zeros(trg.shape[0], 2, 4)
        given = torch.ones(2, 3)
        for t in range(1, trg.shape[0]):
            out = self.fc(given)
            outputs[t] = out
            given = trg[t].unsqueeze(1).float().repeat(1, 3) if random.random() < ratio else out[:, :3]
        return outputs


def train(model, batches, optimizer, criterion):
    for batch in batches:
        trg = batch["trg"]
        optimizer.zero_grad()
        output = model(trg, 0.5)
        output_dim = output.shape[-1]
        output = output[1:].view(-1, output_dim)
        trg = trg[1:].view(-1)
        loss = criterion(output, trg)
        loss.backward()
        optimizer.step()
        print(loss.item(), trg.sum().item())


random.seed(0)
net = Decoder()
batches = [{"trg": torch.arange(10).view(5, 2) % 4}, {"trg": torch.arange(6).view(3, 2) % 4}]
train(net, batches, torch.optim.SGD(net.parameters(), lr=0.1), nn.CrossEntropyLoss())

# what a part of a loss that is computed before another step gives is translated where it draws on the host
generator, critic = nn.Linear(3, 4), nn.Linear(4, 1)
for layer in (generator, critic):
    nn.init.constant_(layer.weight, 0.1)
    nn.init.constant_(layer.bias, 0.1)
g_opt = torch.optim.SGD(generator.parameters(), lr=0.1)
c_opt = torch.optim.SGD(critic.parameters(), lr=0.1)
rng = np.random.RandomState(0)
for i in range(3):
    fake = generator(torch.ones(2, 3) * i) * rng.random_sample()
    fake = fake.view(-1, 2).view(2, 4)
    c_opt.zero_grad()
    scale = torch.tensor(rng.standard_gamma(2.0, (2, 1)), dtype=torch.float32)
    c_loss = (critic(fake.detach()) * scale).mean()
    c_loss.backward()
    c_opt.step()
    g_opt.zero_grad()
    g_loss = -critic(fake).mean()
    g_loss.backward()
    g_opt.step()
    print(c_loss.item(), g_loss.item())
own = random.Random(3)
for i in range(3):
    c_opt.zero_grad()
    loss = critic(torch.ones(2, 4)).mean()
    loss = loss * own.expovariate(1.0)
    loss.backward()
    c_opt.step()
    print(loss.item())
