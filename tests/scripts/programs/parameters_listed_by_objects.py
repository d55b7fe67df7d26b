# also: nnx, linen
import torch
import torch.nn as nn


class Average:
    def __init__(self, model, average, rate):
        self.model = model
        self.average = average
        self.rate = rate
        self.values = list(model.state_dict().values())
        self.averaged = list(average.state_dict().values())
        for value, averaged in zip(self.values, self.averaged):
            averaged.data.copy_(value.data)

    def step(self):
        for value, averaged in zip(self.values, self.averaged):
            if averaged.dtype == torch.float32:
                averaged.mul_(self.rate)
                averaged.add_(value * (1 - self.rate))
                value.mul_(0.99)


class Both:
    def __init__(self, net, twin):
        self.net = net
        self.count = 0
        self.twin = twin
        self.params = [p for p in net.parameters() if p.requires_grad]
        self.twins = [q for name, q in twin.named_parameters()]

    @torch.no_grad()
    def step(self):
        self.count += len(self.params)
        for p, q in zip(self.params, self.twins):
            q.mul_(0.5).add_(p, alpha=0.5)
            p.clamp_(-0.6, 0.6)


class Trainer:
    def __init__(self):
        self.model = filled(nn.Linear(3, 4))
        self.params = list(self.model.parameters())
        self.optimizer = torch.optim.SGD(self.params, lr=0.1)

    def norm(self):
        return sum(p.pow(2).sum().item() for p in self.params)

    def first(self):
        return self.params[0].sum().item()

    def step(self, x):
        loss = self.model(x).pow(2).mean()
        self.optimizer.zero_grad()
        loss.backward()
        nn.utils.clip_grad_norm_(self.params, 0.5)
        self.optimizer.step()
        return loss.item()


def filled(model):
    with torch.no_grad():
        for p in model.parameters():
            p.copy_(torch.linspace(-1, 1, p.numel()).view_as(p))
    return model


def main():
    x = torch.linspace(-1, 1, 12).view(4, 3)
    model = filled(nn.Sequential(nn.Linear(3, 4), nn.Linear(4, 2)))
    average = nn.Sequential(nn.Linear(3, 4), nn.Linear(4, 2))
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    keeper = Average(model, average, 0.9)
    for _ in range(3):
        loss = model(x).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        keeper.step()
        print(loss.item(), average(x).sum().item())

    net = filled(nn.Linear(3, 2))
    twin = filled(nn.Linear(3, 2))
    trained = torch.optim.SGD(net.parameters(), lr=0.1)
    both = Both(net, twin)
    for _ in range(3):
        loss = net(x).pow(2).mean()
        trained.zero_grad()
        loss.backward()
        trained.step()
        both.step()
        print(loss.item(), twin(x).sum().item(), both.count)

    trainer = Trainer()
    for _ in range(3):
        print(trainer.step(x), trainer.norm(), trainer.first())


main()
