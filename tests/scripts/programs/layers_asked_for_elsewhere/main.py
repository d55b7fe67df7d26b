# also: nnx, linen
# What a module is asked for stands in other files than the models.
import torch
from counting import number, points, weights
from models import Net
from torch import nn

net = Net()
for p in net.parameters():
    nn.init.constant_(p, 0.2)
net.eval()
other = Net(nn.Tanh)
print(weights(net), points(net), weights(other), points(other))
print(number(net, nn.LeakyReLU), number(net, (nn.ReLU, nn.AvgPool2d)), number(net, nn.Tanh), number(other, nn.Tanh))
x = torch.arange(36.0).reshape(1, 1, 6, 6) / 36
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for _ in range(3):
    optimizer.zero_grad()
    loss = (net(x) - 1).square().mean()
    loss.backward()
    optimizer.step()
    print(loss.item())
print(net.body[0].weight.sum().item())
