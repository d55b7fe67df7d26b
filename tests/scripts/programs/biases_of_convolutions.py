import torch
from torch import nn

net = nn.Conv2d(1, 3, 3)
for name, p in net.named_parameters():
    print(name, tuple(p.shape), p.detach().numpy().ndim)
print([tuple(p.shape) for p in net.parameters()])
decay = [name for name, p in net.named_parameters() if p.dim() >= 2]
print(decay, tuple(net.bias.shape), tuple(net.state_dict()["bias"].shape))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv = nn.Conv2d(1, 3, 3)
        self.bn = nn.BatchNorm2d(3)
        with torch.no_grad():
            self.conv.bias.copy_(torch.tensor([1.0, 2.0, 3.0]))
            self.conv.weight.fill_(0.1)

    def fused(self):
        gamma = self.bn.weight / torch.sqrt(self.bn.running_var + self.bn.eps)
        return self.bn.bias + (self.conv.bias - self.bn.running_mean) * gamma

    def forward(self, x):
        return self.conv(x)


net = Net()
print(net.fused().tolist())
print(net.conv.bias.sum().item(), net.conv.bias[1].item(), len(net.conv.bias), net.conv.bias is None)
with torch.no_grad():
    net.conv.bias[0] = 5.0
    net.conv.bias.data = net.conv.bias.data * 2
print(net.conv.bias.tolist(), net(torch.ones(1, 1, 3, 3)).flatten().tolist())
net.conv.bias = nn.Parameter(torch.tensor([1.0, 2.0, 3.0]))
print(net.conv.bias.tolist(), net(torch.ones(1, 1, 3, 3)).flatten().tolist())
print(sum(p.numel() for p in net.parameters() if p.dim() > 1))
w, b = net.conv.weight, net.conv.bias
print(torch.nn.functional.conv2d(torch.ones(1, 1, 3, 3), w, b).flatten().tolist())
