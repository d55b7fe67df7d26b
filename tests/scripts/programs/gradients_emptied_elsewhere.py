"""Two players whose gradients are emptied by helpers, in loops, and behind the steps, not beside each backward pass."""

import torch
import torch.nn as nn

X = torch.linspace(-1, 1, 24).view(8, 3)
batches = [X[i : i + 2] for i in range(0, 8, 2)]


def fill(m):
    with torch.no_grad():
        for p in m.parameters():
            p.copy_(torch.linspace(-0.5, 1.0, p.numel()).view_as(p))


def show(m):
    print([round(float(v), 4) for p in m.parameters() for v in p.detach().flatten()])


G, D = nn.Linear(2, 3), nn.Sequential(nn.Linear(3, 4), nn.Tanh(), nn.Linear(4, 1), nn.Sigmoid())
fill(G)
fill(D)
opt_g = torch.optim.Adam(G.parameters(), lr=0.03)
opt_d = torch.optim.SGD(D.parameters(), lr=0.3, momentum=0.9)
nets = [G, D]


def reset_grad():
    G.zero_grad()
    D.zero_grad()


def reset_solvers():
    for solver in (opt_g, opt_d):
        solver.zero_grad()


# behind the steps
for i, x in enumerate(batches):
    for _ in range(2):
        z = torch.full((2, 2), 0.1 * (i + 1))
        made = G(z)
        real, fake = D(x), D(made)
        d_loss = -torch.mean(torch.log(real) + torch.log(1 - fake))
        d_loss.backward()
        opt_d.step()
        reset_grad()
    z = torch.full((2, 2), 0.2 * (i + 1))
    made = G(z)
    g_loss = -torch.mean(torch.log(D(made)))
    g_loss.backward()
    opt_g.step()
    for net in nets:
        net.zero_grad()
    print(round(d_loss.item(), 4), round(g_loss.item(), 4))
show(G)
show(D)


# between the losses and their backward passes
def play():
    criterion = nn.BCELoss()
    ones, zeros = torch.ones(2, 1), torch.zeros(2, 1)
    for i, x in enumerate(batches):
        outputs = D(x)
        d_loss_real = criterion(outputs, ones)
        real_score = outputs
        made = G(torch.full((2, 2), 0.1 * (i + 1)))
        outputs = D(made)
        d_loss = d_loss_real + criterion(outputs, zeros)
        reset_solvers()
        d_loss.backward()
        opt_d.step()
        made = G(torch.full((2, 2), 0.2 * (i + 1)))
        outputs = D(made)
        g_loss = criterion(outputs, ones)
        reset_solvers()
        g_loss.backward()
        opt_g.step()
        print(round(d_loss.item(), 4), round(g_loss.item(), 4), round(real_score.mean().item(), 4))


play()
show(G)
show(D)

# parameter by parameter, and only where a condition holds
for i, x in enumerate(batches):
    for p in D.parameters():
        if p.grad is not None:
            p.grad = None
    d_loss = torch.mean((D(x) - 1) ** 2)
    if i != 2:
        d_loss.backward(retain_graph=True)
    opt_d.step()
    print(round(d_loss.item(), 4))
show(D)
