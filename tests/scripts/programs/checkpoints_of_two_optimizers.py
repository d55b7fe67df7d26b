# also: nnx
import torch
import torch.nn as nn
import torch.nn.functional as F


def fill(m):
    with torch.no_grad():
        for p in m.parameters():
            p.copy_(torch.linspace(-0.5, 0.7, p.numel()).reshape(p.shape))
    return m


G = fill(nn.Sequential(nn.Linear(2, 4), nn.ReLU(), nn.Linear(4, 3)))
D = fill(nn.Sequential(nn.Linear(3, 4), nn.LeakyReLU(0.2), nn.Linear(4, 1)))
optG = torch.optim.Adam(G.parameters(), lr=2e-2, betas=(0.5, 0.999))
optD = torch.optim.Adam(D.parameters(), lr=2e-2, betas=(0.5, 0.999))
schedG = torch.optim.lr_scheduler.StepLR(optG, 2, 0.5)
z = torch.linspace(-1, 1, 16).reshape(8, 2)
real = torch.linspace(-1, 2, 24).reshape(8, 3)
bce = nn.BCEWithLogitsLoss()


def epoch():
    optD.zero_grad()
    fake = G(z)
    lossD = bce(D(real), torch.ones(8, 1)) + bce(D(fake.detach()), torch.zeros(8, 1))
    lossD.backward()
    optD.step()
    optG.zero_grad()
    lossG = bce(D(G(z)), torch.ones(8, 1))
    lossG.backward()
    optG.step()
    schedG.step()
    print(lossD.item(), lossG.item(), optG.param_groups[0]["lr"])


def checkpoint(path):
    state = {
        "G": G.state_dict(),
        "D": D.state_dict(),
        "optG": optG.state_dict(),
        "optD": optD.state_dict(),
        "s": schedG.state_dict(),
    }
    torch.save(state, path)


for e in range(3):
    epoch()
checkpoint("a.pt")
state = torch.load("a.pt")
for e in range(2):
    epoch()
G.load_state_dict(state["G"])
D.load_state_dict(state["D"])
optG.load_state_dict(state["optG"])
optD.load_state_dict(state["optD"])
schedG.load_state_dict(state["s"])
for e in range(2):
    epoch()
for name in optG.state_dict():
    print(name, optG.state_dict()[name] if name == "param_groups" else len(optG.state_dict()[name]))
