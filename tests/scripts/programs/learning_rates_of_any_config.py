# also: nnx, linen
import torch
import torch.nn as nn


class Config:
    g_lr = 0.1
    d_lr = 0.2
    decay = 4.0


class Solver:
    """Nothing says what the config holds, but that an optimizer takes it as its learning rate."""

    def __init__(self, net, loader, config):
        self.loader = loader
        self.net = net
        self.g_lr = config.g_lr
        self.d_lr = config.d_lr
        self.decay = config.decay
        self.optimizer = torch.optim.SGD(self.net.parameters(), self.g_lr)

    def update_lr(self, lr):
        for param_group in self.optimizer.param_groups:
            param_group["lr"] = lr

    def train(self):
        data_iter = iter(self.loader)
        lr = self.g_lr
        for i in range(4):
            try:
                x, y = next(data_iter)
            except StopIteration:
                data_iter = iter(self.loader)
                x, y = next(data_iter)
            self.optimizer.zero_grad()
            loss = (self.net(x) - y).pow(2).mean()
            loss.backward()
            self.optimizer.step()
            if i % 2 == 1:
                lr -= self.g_lr / float(self.decay)
                self.update_lr(lr)
            print(i, loss.item(), lr, self.g_lr)

    def train_again(self, x):
        lr = self.d_lr
        for param_group in self.optimizer.param_groups:
            param_group["lr"] = lr
        for i in range(3):
            self.optimizer.zero_grad()
            loss = self.net(x).pow(2).mean()
            loss.backward()
            self.optimizer.step()
            lr *= 0.5
            self.update_lr(lr)
            print(i, loss.item(), lr, self.d_lr)


class Untold:
    """Nobody makes one."""

    def __init__(self, loader, config):
        self.loader = loader
        self.rate = config.rate
        self.steps = config.steps
        self.net = nn.Linear(3, 1)
        self.optimizer = torch.optim.SGD(self.net.parameters(), self.rate)

    def update_rate(self, rate):
        for param_group in self.optimizer.param_groups:
            param_group["lr"] = rate

    def train(self):
        data_iter = iter(self.loader)
        rate = self.rate
        for i in range(self.steps):
            try:
                x, y = next(data_iter)
            except StopIteration:
                data_iter = iter(self.loader)
                x, y = next(data_iter)
            self.optimizer.zero_grad()
            loss = (self.net(x) - y).pow(2).mean()
            loss.backward()
            self.optimizer.step()
            rate -= self.rate / float(self.steps)
            self.update_rate(rate)


def adjusted(optimizer, config, epoch):
    lr = config.g_lr
    if epoch > 1:
        lr *= 0.1
    for group in optimizer.param_groups:
        group["lr"] = lr
    return lr, config.g_lr


net = nn.Linear(3, 1)
nn.init.constant_(net.weight, 0.1)
nn.init.constant_(net.bias, 0.1)
x = torch.tensor([[0.1, 0.2, 0.3], [0.3, 0.1, 0.4]])
for name in ["Solver"]:
    solver = globals()[name](net, [(x, 0.5), (2 * x, 1.5)], Config())
    solver.train()
    solver.train_again(x)
optimizer = torch.optim.SGD(net.parameters(), lr=0.1)
for name in ["adjusted"]:
    print(globals()[name](optimizer, Config(), 2), optimizer.param_groups[0]["lr"])
