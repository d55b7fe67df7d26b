import torch
import torch.nn as nn


class Block(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.norm = nn.LayerNorm(3)

    def forward(self, x):
        return self.norm(self.fc(x)) + x


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Sequential(Block(), Block())
        self.b = nn.Linear(3, 2)
        for m in self.modules():
            if isinstance(m, Block):
                nn.init.zeros_(m.norm.weight)
                nn.init.constant_(m.fc.bias, 0.5)
            elif isinstance(m, nn.Linear):
                nn.init.constant_(m.weight, 0.1)
                nn.init.zeros_(m.bias)
            elif isinstance(m, nn.LayerNorm):
                nn.init.constant_(m.weight, 0.7)

    def forward(self, x):
        return self.b(self.a(x))


net = Net()
print(net(torch.tensor([[1.0, 2.0, 4.0]])).sum().item())
for m in net.modules():
    if isinstance(m, Block):
        nn.init.zeros_(m.norm.weight)
        nn.init.constant_(m.fc.bias, 0.5)
    elif isinstance(m, nn.Linear):
        nn.init.constant_(m.weight, 0.2)
        nn.init.zeros_(m.bias)
    elif isinstance(m, nn.LayerNorm):
        nn.init.constant_(m.weight, 0.8)
print(net(torch.tensor([[1.0, 2.0, 4.0]])).sum().item())
for name, p in net.named_parameters():
    print(name, p.sum().item())
