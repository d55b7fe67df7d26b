# also: nnx, linen
import torch
import torch.nn as nn
from losses import gated, vae_loss

net = nn.Linear(3, 3)
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.linspace(-0.4, 0.5, p.numel()).reshape(p.shape))
opt = torch.optim.Adam(net.parameters(), lr=0.01)
x = torch.sin(torch.arange(12.)).reshape(4, 3)
for step in range(4):
    beta = step / 4.0
    loss = vae_loss(net(x), x, beta)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
for step in range(4):
    w = step / 4.0
    loss = gated(net(x), x, w)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
