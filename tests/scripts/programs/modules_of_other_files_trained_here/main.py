# flagged: T2J303, also: nnx, linen
# A model of another file is trained here by the name under which it was imported, and called there.
import torch
from model import net, predict

opt = torch.optim.SGD(net.parameters(), lr=0.1)
x = torch.sin(torch.arange(12.0)).reshape(4, 3)
for i in range(3):
    loss = net(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item(), predict(x).sum().item())
