# also: nnx, linen
import torch
from torch import nn

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.features = nn.Sequential(
            nn.Conv2d(1, 2, 3, padding=1),
            nn.BatchNorm2d(2),
            nn.ReLU(inplace=True),
            nn.MaxPool2d(2, 2),
            nn.Conv2d(2, 2, 3, padding=1),
            nn.LeakyReLU(0.2),
            nn.AvgPool2d(2),
        )
        self.act = nn.Sigmoid()
        self.drop = nn.Dropout2d(0.5)
        self.fc = nn.Linear(8, 2)

    def forward(self, x):
        x = self.drop(self.features(x))
        return self.act(self.fc(x.flatten(1)))


def init(m):
    if isinstance(m, (nn.Conv2d, nn.Linear)):
        nn.init.constant_(m.weight, 0.1)
        if m.bias is not None:
            nn.init.zeros_(m.bias)
    elif isinstance(m, (nn.BatchNorm2d, nn.GroupNorm)):
        nn.init.ones_(m.weight)
        nn.init.zeros_(m.bias)
    elif isinstance(m, nn.ReLU):
        pass


def kind(m):
    if type(m) == nn.ReLU:
        return "relu"
    elif type(m) in (nn.MaxPool2d, nn.AvgPool2d):
        return "pool"
    elif m.__class__ is nn.Sigmoid:
        return "sig"
    elif isinstance(m, nn.modules.activation.LeakyReLU):
        return "leaky"
    elif type(m) is nn.Conv2d:
        return "conv"
    elif isinstance(m, (nn.Dropout, nn.Dropout2d)):
        return "drop"
    return "other"


net = Net()
net.apply(init)
net.eval()
print([kind(m) for m in net.modules()])
for name, m in net.named_modules():
    print(name, kind(m))
for name, m in net.features.named_children():
    print(name, kind(m))
x = torch.arange(64.0).reshape(1, 1, 8, 8) / 64
print([round(v, 4) for v in net(x).flatten().tolist()])
opt = torch.optim.SGD(net.parameters(), lr=0.1)
for i in range(2):
    opt.zero_grad()
    loss = net(x).pow(2).mean()
    loss.backward()
    opt.step()
    print(round(loss.item(), 5))
