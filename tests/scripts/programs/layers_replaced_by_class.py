# also: nnx, linen
import torch
import torch.nn as nn


class Block(nn.Module):
    def __init__(self, act=nn.ReLU):
        super().__init__()
        self.fc = nn.Linear(3, 3)
        self.act = act()

    def forward(self, x):
        return self.act(self.fc(x))


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = Block()
        self.b = Block(nn.Tanh)
        self.act = nn.ReLU()

    def forward(self, x):
        return self.act(self.b(self.a(x)))


def replace(model):
    for name, child in model.named_children():
        if isinstance(child, nn.ReLU):
            setattr(model, name, nn.GELU())
        else:
            replace(child)


net = Net()
for p in net.parameters():
    nn.init.constant_(p, 0.3)
x = torch.tensor([[-1.0, 0.5, 2.0], [-3.0, 0.1, 0.0]])
print([round(v, 4) for v in net(x).flatten().tolist()])
print(sum(isinstance(m, nn.ReLU) for m in net.modules()))
replace(net)
print([round(v, 4) for v in net(x).flatten().tolist()])
print(sum(isinstance(m, nn.ReLU) for m in net.modules()), sum(isinstance(m, nn.GELU) for m in net.modules()))
