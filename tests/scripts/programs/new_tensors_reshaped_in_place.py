# also: nnx, linen
"""Tensors that an index or an operation with several results has made get another shape in place."""
import torch
import torch.nn as nn

net = nn.Conv2d(1, 3, 1)
with torch.no_grad():
    for p in net.parameters():
        p.copy_(torch.linspace(-0.5, 0.7, p.numel()).view_as(p))
x = torch.linspace(-1, 1, 32).view(2, 1, 4, 4)
outputs = net(x)
pred = outputs.data.max(1)[1].squeeze_(1).cpu().numpy()
print(pred.shape, pred.sum())
one = outputs[:1].data.max(1)[1].squeeze_(1).squeeze_(0).cpu().numpy()
print(one.shape)
print(x[0].unsqueeze_(0).shape, x.shape)
print(torch.max(outputs, 1)[0].unsqueeze_(1).sum().item())
y = x.sum(1).unsqueeze_(1) * 2
print(y.shape, x.mean(0, keepdim=True).transpose_(0, 1).shape)
