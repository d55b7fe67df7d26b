# also: nnx, linen
import torch
import torch.nn as nn


class Base(nn.Module):
    def __init__(self, width, classes=5):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(3, width), nn.ReLU())
        self.fc = nn.Linear(width, classes)
        for m in self.modules():
            if isinstance(m, nn.Linear):
                nn.init.constant_(m.bias, 0.5)

    def forward(self, x):
        return self.fc(self.body(x))


class Frozen(Base):
    def __init__(self, classes):
        super().__init__(4)
        self.fc = nn.Linear(4, classes)


class Deep(Frozen):
    def __init__(self):
        super().__init__(classes=3)
        self.body = nn.Linear(3, 4)
        self.tail = nn.Linear(3, 2)

    def forward(self, x):
        return self.tail(super().forward(x))


class Headless(Base):
    def __init__(self):
        super().__init__(4)
        self.fc = nn.Identity()


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.arange(p.numel()).reshape(p.shape).float().mul(0.1 + i).sin())


for model in (Base(4), Frozen(2), Deep(), Headless()):
    print(
        [(n, tuple(p.shape)) for n, p in model.named_parameters()],
        model.body[0].bias.sum().item() if isinstance(model.body, nn.Sequential) else 0,
    )
    fill(model)
    print(model(torch.arange(6.0).reshape(2, 3) / 5).sum().item())
    opt = torch.optim.SGD(model.parameters(), lr=0.1)
    loss = model(torch.ones(2, 3)).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item(), model(torch.ones(2, 3)).sum().item())
