# also: nnx, linen
import random

import torch
import torch.nn as nn
import torch.nn.functional as F


class ReplayBuffer:
    def __init__(self, max_size=3):
        self.max_size = max_size
        self.data = []

    def push_and_pop(self, data):
        to_return = []
        for element in data.data:
            element = torch.unsqueeze(element, 0)
            if len(self.data) < self.max_size:
                self.data.append(element)
                to_return.append(element)
            elif random.uniform(0, 1) > 0.5:
                i = random.randint(0, self.max_size - 1)
                to_return.append(self.data[i].clone())
                self.data[i] = element
            else:
                to_return.append(element)
        return torch.cat(to_return)


def filled(module):
    for number, p in enumerate(module.parameters()):
        p.data = torch.linspace(-0.5, 0.4 + 0.1 * number, p.numel()).view(p.shape)
    return module


random.seed(0)
generator, critic = filled(nn.Linear(2, 3)), filled(nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1)))
optimizer_G = torch.optim.Adam(generator.parameters(), lr=0.02)
optimizer_D = torch.optim.Adam(critic.parameters(), lr=0.02)
criterion = nn.MSELoss()
buffer = ReplayBuffer()
noise = torch.arange(8.0).view(4, 2) / 4
real, ones, zeros = torch.ones(4, 3), torch.ones(4, 1), torch.zeros(4, 1)
for step in range(3):
    optimizer_G.zero_grad()
    fake = generator(noise + step)
    loss_G = criterion(critic(fake), ones)
    loss_G.backward()
    optimizer_G.step()

    optimizer_D.zero_grad()
    loss_real = criterion(critic(real), ones)
    fake = buffer.push_and_pop(fake)
    loss_fake = criterion(critic(fake.detach()), zeros)
    loss_D = (loss_real + loss_fake) * 0.5
    loss_D.backward()
    optimizer_D.step()
    print(round(loss_G.item(), 5), round(loss_D.item(), 5), len(buffer.data))


class Decoder(nn.Module):
    def __init__(self, width, length):
        super().__init__()
        self.embedding = nn.Embedding(5, width)
        self.attn = nn.Linear(width * 2, length)
        self.gru = nn.GRU(width, width)
        self.out = nn.Linear(width, 5)

    def forward(self, token, hidden, encoded):
        embedded = self.embedding(token).view(1, 1, -1)
        weights = F.softmax(self.attn(torch.cat((embedded[0], hidden[0]), 1)), dim=1)
        applied = torch.bmm(weights.unsqueeze(0), encoded.unsqueeze(0))
        output, hidden = self.gru(F.relu(embedded + applied), hidden)
        return F.log_softmax(self.out(output[0]), dim=1), hidden, weights


def decode(decoder, encoded, hidden, length):
    with torch.no_grad():
        token = torch.tensor([[0]])
        found, attentions = [], torch.zeros(length, length)
        for i in range(length):
            output, hidden, attention = decoder(token, hidden, encoded)
            attentions[i] = attention.data
            value, index = output.data.topk(1)
            found.append(index.item())
            token = index.squeeze().detach()
        return found, attentions


words, attentions = decode(filled(Decoder(4, 3)), torch.arange(12.0).view(3, 4) / 12, torch.zeros(1, 1, 4), 3)
print(words, [[round(x, 4) for x in row] for row in attentions.tolist()])
