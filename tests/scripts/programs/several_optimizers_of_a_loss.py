"""One backward pass for several optimizers: in a loop, in a function, with clipping, accumulation and a turn for each."""

import torch
import torch.nn as nn
import torch.nn.functional as F

x = torch.arange(12).float().view(3, 4) / 12
y = torch.tensor([[0.5], [-1.0], [2.0]])


def filled(model, start):
    values = {k: torch.sin(torch.arange(v.numel()) * 1.3 + start).view(v.shape) for k, v in model.state_dict().items()}
    model.load_state_dict(values)
    return model


def show(*models):
    for model in models:
        for name, p in model.named_parameters():
            print(name, p.sum().item(), (p * p).sum().item())


def train(x, y, encoder, decoder, encoder_optimizer, decoder_optimizer, criterion):
    encoder_optimizer.zero_grad()
    decoder_optimizer.zero_grad()
    loss = criterion(decoder(torch.tanh(encoder(x))), y)
    loss.backward()
    nn.utils.clip_grad_norm_(encoder.parameters(), 0.5)
    encoder_optimizer.step()
    decoder_optimizer.step()
    return loss.item()


def in_a_function():
    encoder, decoder = filled(nn.Linear(4, 3), 0.0), filled(nn.Linear(3, 1), 1.0)
    encoder_optimizer = torch.optim.SGD(encoder.parameters(), lr=0.1, momentum=0.9)
    decoder_optimizer = torch.optim.Adam(decoder.parameters(), lr=0.05)
    criterion = nn.MSELoss()
    for _ in range(4):
        print(train(x, y, encoder, decoder, encoder_optimizer, decoder_optimizer, criterion))
    show(encoder, decoder)


def in_a_loop():
    a, b = filled(nn.Linear(4, 3), 0.0), filled(nn.Linear(3, 1), 1.0)
    scale = torch.ones(1, requires_grad=True)
    first = torch.optim.AdamW(list(a.parameters()) + list(b.parameters()), lr=0.05)
    second = torch.optim.SGD([scale], lr=0.1)
    for i in range(4):
        loss = F.mse_loss(b(torch.tanh(a(x))) * scale, y)
        first.zero_grad()
        second.zero_grad()
        loss.backward()
        first.step()
        if i % 2 == 1:
            second.step()
        print(loss.item(), scale.item())
    show(a, b)


def accumulated():
    a, b = filled(nn.Linear(4, 3), 0.0), filled(nn.Linear(3, 1), 1.0)
    first = torch.optim.Adam(a.parameters(), lr=0.05)
    second = torch.optim.SGD(b.parameters(), lr=0.1)
    for i in range(6):
        loss = F.mse_loss(b(torch.tanh(a(x * (i + 1)))), y) / 2
        loss.backward()
        if i % 2 == 1:
            first.step()
            first.zero_grad()
        if i % 3 == 2:
            second.step()
            second.zero_grad()
        print(loss.item())
    show(a, b)


in_a_function()
in_a_loop()
accumulated()
