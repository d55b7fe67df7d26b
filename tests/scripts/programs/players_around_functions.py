"""Functions that read what is trained from around them, helpers that empty the gradients of several modules, one optimizer behind
two losses, two optimizers behind one, and tensors without a module.
"""

import torch
import torch.nn as nn

G = nn.Sequential(nn.Linear(2, 4), nn.Tanh(), nn.Linear(4, 3))
shared = nn.Linear(3, 4)
judge, label = nn.Linear(4, 1), nn.Linear(4, 2)
nets = [G, shared, judge, label]


def fill(m, low):
    with torch.no_grad():
        for p in m.parameters():
            p.copy_(torch.linspace(low, 0.8, p.numel()).view_as(p))


fill(G, -0.7)
fill(shared, -0.5)
fill(judge, -0.6)
fill(label, -0.4)
G_solver = torch.optim.Adam(G.parameters(), lr=0.05)
D_params = list(shared.parameters()) + list(judge.parameters()) + list(label.parameters())
D_solver = torch.optim.Adam(D_params, lr=0.05)
x = torch.linspace(-1, 1, 12).view(4, 3)
z = torch.linspace(-1, 1, 8).view(4, 2) ** 2
y = torch.tensor([0, 1, 1, 0])


def features(x):
    return torch.relu(shared(x) + 0.1)


def D(x, scale=1.0):
    h = features(x)
    return torch.sigmoid(judge(h)) * scale, label(h)


def reset_grad():
    for net in nets:
        net.zero_grad()


def evaluate():
    with torch.no_grad():
        return round(D(x)[0].mean().item(), 3)


for it in range(4):
    D_real, C_real = D(x)
    D_fake, C_fake = D(G(z), scale=0.5)
    D_loss = -torch.mean(torch.log(D_real) + torch.log(1 - D_fake))
    C_loss = nn.functional.cross_entropy(C_real, y) + nn.functional.cross_entropy(C_fake, y)
    loss = D_loss + C_loss
    loss.backward()
    D_solver.step()
    reset_grad()

    D_fake, _ = D(G(z))
    G_loss = -torch.mean(torch.log(D_fake))
    G_loss.backward()
    G_solver.step()
    reset_grad()
    print(round(loss.item(), 3), round(G_loss.item(), 3), evaluate())

encoder, decoder, critic = nn.Linear(3, 2), nn.Linear(2, 3), nn.Linear(2, 1)
fill(encoder, -0.5)
fill(decoder, -0.3)
fill(critic, -0.6)
encoder_solver = torch.optim.Adam(encoder.parameters(), lr=0.02)
decoder_solver = torch.optim.Adam(decoder.parameters(), lr=0.02)
critic_solver = torch.optim.SGD(critic.parameters(), lr=0.1, momentum=0.9)


def empty():
    encoder.zero_grad()
    decoder.zero_grad()
    critic.zero_grad()


for it in range(4):
    recon = decoder(encoder(x)).sub(x).pow(2).mean()
    recon.backward()
    decoder_solver.step()
    encoder_solver.step()
    empty()

    critic_loss = critic(encoder(x)).mean() - critic(z).mean()
    critic_loss.backward()
    critic_solver.step()
    empty()

    encoder_loss = -critic(encoder(x)).mean()
    encoder_loss.backward()
    encoder_solver.step()
    empty()
    print(round(recon.item(), 3), round(critic_loss.item(), 3), round(encoder_loss.item(), 3))

w = torch.linspace(-0.5, 0.5, 6).view(3, 2).requires_grad_()
b = torch.zeros(2, requires_grad=True)
solver = torch.optim.Adam([w, b], lr=0.05)


def layer(x):
    return torch.tanh(x @ w + b)


for it in range(4):
    error = (layer(x) - z).pow(2).mean()
    solver.zero_grad()
    error.backward()
    solver.step()
    print(round(error.item(), 3))
