import torch

from nets import Net, WIDTH

net = Net()
print(net(torch.ones(2, WIDTH)).shape, len(list(net.parameters())))
