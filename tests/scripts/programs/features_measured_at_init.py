# also: nnx, linen
import torch
import torch.nn as nn
import torch.nn.functional as F


def start(module):
    if isinstance(module, (nn.Conv2d, nn.Linear)):
        nn.init.constant_(module.weight, 0.05)
        if module.bias is not None:
            nn.init.constant_(module.bias, 0.1)
    elif isinstance(module, nn.BatchNorm2d):
        nn.init.ones_(module.weight)
        nn.init.zeros_(module.bias)


class Block(nn.Module):
    def __init__(self, dim):
        super().__init__()
        self.conv = nn.Conv2d(dim, dim, 3, padding=1)
        nn.init.constant_(self.conv.weight, 0.02)
        nn.init.constant_(self.conv.bias, 0.3)
        self.bn = nn.BatchNorm2d(dim)

    def forward(self, x):
        return F.relu(x + self.bn(self.conv(x)))


class Network(nn.Module):
    def __init__(self, channels, size, depth, classes):
        super().__init__()
        self.conv = nn.Conv2d(channels, 4, 3, stride=2, bias=False)
        nn.init.constant_(self.conv.weight, 0.05)
        self.bn = nn.BatchNorm2d(4)
        self.stage = nn.Sequential()
        for i in range(depth):
            self.stage.add_module(f"block{i + 1}", Block(4))
        with torch.no_grad():
            dummy = torch.ones((1, channels, size, size), dtype=torch.float32)
            dummy[:, :, 0] = 2.0
            self.feature_size = self._forward_conv(dummy).view(-1).shape[0]
        self.fc = nn.Linear(self.feature_size, classes)
        self.apply(start)

    def _forward_conv(self, x):
        x = F.relu(self.bn(self.conv(x)), inplace=True)
        x = self.stage(x)
        return F.adaptive_avg_pool2d(x, output_size=2)

    def forward(self, x):
        x = self._forward_conv(x)
        return self.fc(x.view(x.size(0), -1))


net = Network(3, 9, 2, 5)
print(net.bn.running_mean.sum().item(), net.bn.running_var.sum().item())
print(net.stage[0].bn.running_mean.sum().item(), net.stage[1].bn.running_var.sum().item())
x = torch.sin(torch.arange(2 * 3 * 9 * 9.0)).reshape(2, 3, 9, 9)
net.eval()
print(net(x).sum().item())
net.train()
opt = torch.optim.SGD(net.parameters(), lr=0.01)
for _ in range(3):
    opt.zero_grad()
    loss = net(x).pow(2).mean()
    loss.backward()
    opt.step()
    print(loss.item(), net.bn.running_var.sum().item())
net.eval()
print(net(x).sum().item())
