# also: nnx
import torch
import torch.nn as nn


class Q(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(3, 4)
        self.fc2 = nn.Linear(4, 2)
        self.out = nn.Linear(2, 2)
        for i, layer in enumerate([self.fc1, self.fc2]):
            layer.weight.data = torch.sin(torch.arange(layer.weight.numel()).float() + i).view(layer.weight.shape)
            layer.bias.data.fill_(0.01 * i)
        for layer, gain in [(self.fc1, 1.5), (self.fc2, -0.5)]:
            with torch.no_grad():
                layer.weight.mul_(gain)
        for k, (layer, value) in enumerate(zip((self.fc1, self.out), (0.25, 0.75)), 2):
            nn.init.constant_(layer.bias, value * k)
        nn.init.eye_(self.out.weight)

    def forward(self, x):
        return self.out(self.fc2(torch.relu(self.fc1(x))))


net = Q()
for i, layer in enumerate((net.fc1, net.fc2)):
    nn.init.constant_(layer.bias, 0.1 * (i + 1))
print([round(value, 5) for value in net(torch.ones(1, 3))[0].tolist()])
