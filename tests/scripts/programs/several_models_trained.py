"""One optimizer for several models: lists added up, chained, in variables that grow; with clipping, buffers and helpers."""

import itertools

import torch
import torch.nn as nn
import torch.nn.functional as F


class Encoder(nn.Module):
    def __init__(self, size):
        super().__init__()
        self.fc = nn.Linear(4, size)
        self.register_buffer("shift", torch.full((size,), 0.25))

    def forward(self, x):
        return torch.tanh(self.fc(x)) + self.shift


def filled(model, start):
    values = {k: torch.sin(torch.arange(v.numel()) * 1.3 + start).view(v.shape) for k, v in model.state_dict().items()}
    model.load_state_dict(values)
    return model


def show(*models):
    for model in models:
        for name, p in model.named_parameters():
            print(name, p.sum().item(), (p * p).sum().item())


x = torch.arange(12).float().view(3, 4) / 12
y = torch.tensor([[0.5], [-1.0], [2.0]])


def added():
    a, b = filled(nn.Linear(4, 3), 0.0), filled(nn.Linear(3, 1), 1.0)
    optimizer = torch.optim.Adam(list(a.parameters()) + list(b.parameters()), lr=0.05)
    for _ in range(4):
        optimizer.zero_grad()
        loss = F.mse_loss(b(torch.tanh(a(x))), y)
        loss.backward()
        optimizer.step()
        print(loss.item())
    show(a, b)


def chained():
    encoder, decoder = filled(Encoder(3), 0.0), filled(nn.Linear(3, 1), 1.0)
    params = itertools.chain(encoder.parameters(), decoder.parameters())
    optimizer = torch.optim.SGD(params, lr=0.1, momentum=0.9, weight_decay=0.1)
    for _ in range(4):
        loss = F.mse_loss(decoder(encoder(x)), y)
        optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(list(encoder.parameters()) + list(decoder.parameters()), 0.5)
        optimizer.step()
        print(loss.item())
    show(encoder, decoder)


def grown():
    a, b = filled(nn.Linear(4, 3), 0.0), filled(nn.Linear(3, 1), 1.0)
    params = list(a.parameters())
    params += list(b.parameters())
    optimizer = torch.optim.AdamW(params, lr=0.05)
    for _ in range(3):
        optimizer.zero_grad()
        loss = F.mse_loss(b(torch.tanh(a(x))), y)
        loss.backward()
        optimizer.step()
    show(a, b)


def update(encoder, decoder, optimizer, x, y):
    optimizer.zero_grad()
    loss = F.mse_loss(decoder(encoder(x)), y)
    loss.backward()
    optimizer.step()
    return loss.item()


def helped():
    encoder, decoder = filled(Encoder(3), 0.0), filled(nn.Linear(3, 1), 1.0)
    optimizer = torch.optim.Adam([*encoder.parameters(), *decoder.parameters()], lr=0.05, betas=(0.5, 0.9))
    for _ in range(3):
        print(update(encoder, decoder, optimizer, x, y))
    show(encoder, decoder)


class Trainer:
    def __init__(self, encoder, decoder, lr):
        self.encoder = encoder
        self.decoder = decoder
        self.optimizer = torch.optim.RMSprop(list(self.encoder.parameters()) + list(self.decoder.parameters()), lr=lr)

    def step(self, x, y):
        loss = F.mse_loss(self.decoder(self.encoder(x)), y)
        self.optimizer.zero_grad()
        loss.backward()
        self.optimizer.step()
        return loss.item()


def trained():
    trainer = Trainer(filled(nn.Linear(4, 3), 0.0), filled(nn.Linear(3, 1), 1.0), 0.01)
    for _ in range(3):
        print(trainer.step(x, y))
    show(trainer.encoder, trainer.decoder)


def accumulated():
    a, b = filled(Encoder(3), 0.0), filled(nn.Linear(3, 1), 1.0)
    optimizer = torch.optim.SGD(list(a.parameters()) + list(b.parameters()), lr=0.05, momentum=0.9)
    optimizer.zero_grad()
    for i in range(6):
        loss = F.mse_loss(b(a(x * (i + 1))), y) / 2
        loss.backward()
        if (i + 1) % 2 == 0:
            optimizer.step()
            optimizer.zero_grad()
        print(loss.item())
    show(a, b)


def critics():
    actor, first, second = filled(nn.Linear(4, 2), 0.0), filled(nn.Linear(6, 1), 1.0), filled(nn.Linear(6, 1), 2.0)
    critic_optimizer = torch.optim.Adam(list(first.parameters()) + list(second.parameters()), lr=0.05)
    actor_optimizer = torch.optim.Adam(list(actor.parameters()), lr=0.05)
    for _ in range(3):
        with torch.no_grad():
            following = torch.cat([x, actor(x) + 0.1], 1)
            target = y + 0.9 * torch.min(first(following), second(following))
        actions = torch.tanh(actor(x)).detach()
        critic_loss = F.mse_loss(first(torch.cat([x, actions], 1)), target) + F.mse_loss(
            second(torch.cat([x, actions], 1)), target
        )
        critic_optimizer.zero_grad()
        critic_loss.backward()
        critic_optimizer.step()
        actor_loss = -first(torch.cat([x, actor(x)], 1)).mean()
        actor_optimizer.zero_grad()
        actor_loss.backward()
        actor_optimizer.step()
        print(critic_loss.item(), actor_loss.item())
    show(actor, first, second)


added()
chained()
grown()
helped()
trained()
accumulated()
critics()
