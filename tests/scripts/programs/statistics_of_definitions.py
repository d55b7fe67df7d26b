# also: nnx, linen
import torch
import torch.nn as nn
import torch.nn.functional as F


class Block(nn.Module):
    def __init__(self, cin, cout, stride=1):
        super().__init__()
        self.conv = nn.Conv2d(cin, cout, 3, stride=stride, padding=1, bias=False)
        self.bn = nn.BatchNorm2d(cout)
        if stride != 1 or cin != cout:
            self.short = nn.Sequential(nn.Conv2d(cin, cout, 1, stride=stride), nn.BatchNorm2d(cout))
        else:
            self.short = nn.Sequential()

    def forward(self, x):
        return F.relu(self.bn(self.conv(x)) + self.short(x))


class Net(nn.Module):
    def __init__(self, num_classes=3):
        super().__init__()
        layers = []
        c = 1
        for width in (4, 8):
            layers.append(Block(c, width, 2))
            c = width
        self.layers = nn.Sequential(*layers)
        self.pool = nn.AdaptiveAvgPool2d(1)
        self.fc = nn.Linear(c, num_classes)
        self.register_buffer("mean", torch.tensor([0.5]))

    def forward(self, x):
        x = self.layers(x - self.mean)
        return self.fc(torch.flatten(self.pool(x), 1))


def fill(model):
    sd = {}
    for i, (k, v) in enumerate(model.state_dict().items()):
        sd[k] = (
            torch.sin(torch.arange(v.numel(), dtype=torch.float32) * 0.7 + i).reshape(v.shape) * 0.3
            if "weight" in k or "bias" in k
            else v
        )
    model.load_state_dict(sd)


def train_epoch(model, opt, x, y):
    model.train()
    total = 0.0
    for i in range(3):
        opt.zero_grad()
        out = model(x)
        loss = F.cross_entropy(out, y)
        loss.backward()
        opt.step()
        total += loss.item()
    return total / 3


def evaluate(model, x, y):
    model.eval()
    with torch.no_grad():
        out = model(x)
        return (out.argmax(1) == y).float().mean().item(), out.sum().item()


def main():
    model = Net()
    fill(model)
    x = torch.cos(torch.arange(6 * 64, dtype=torch.float32)).reshape(6, 1, 8, 8)
    y = torch.tensor([0, 1, 2, 0, 1, 2])
    opt = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9, weight_decay=1e-4)
    sched = torch.optim.lr_scheduler.StepLR(opt, 1, gamma=0.5)
    for epoch in range(3):
        print(epoch, train_epoch(model, opt, x, y))
        sched.step()
        print(evaluate(model, x, y))
    print(model.layers[0].bn.running_mean.sum().item())


main()
