# also: nnx, linen
import torch
import torch.nn as nn

x = torch.arange(6.0).reshape(2, 3) / 5


def fill(model, c):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.arange(p.numel()).reshape(p.shape).float().mul(0.1 + i + c).sin())


for model in (nn.Linear(3, 2), nn.Linear(3, 2)):
    fill(model, 0.5)
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    loss = model(x).pow(2).mean()
    loss.backward()
    opt.step()
    print(loss.item(), model(x).sum().item())

for seed in range(3):
    net = nn.Linear(3, 2)
    fill(net, seed)
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    loss = net(x).pow(2).mean()
    loss.backward()
    opt.step()
    print(loss.item(), net(x).sum().item())


def run(widths):
    device = torch.device("cpu")
    for width in widths:
        net = nn.Sequential(nn.Linear(3, width), nn.Tanh(), nn.Linear(width, 1)).to(device)
        fill(net, width)
        opt = torch.optim.Adam(net.parameters(), lr=0.01)
        for part in x.chunk(2):  # the gradients of two backward passes are added
            net(part).pow(2).mean().backward()
        opt.step()
        print(net(x).sum().item())


run([3, 3, 4])
