import torch.nn as nn


class Trainer:
    def __init__(self, net, optimizer, scheduler):
        self.net, self.optimizer, self.scheduler = net, optimizer, scheduler
        self.criterion = nn.MSELoss()

    def step(self, x, y):
        self.optimizer.zero_grad()
        loss = self.criterion(self.net(x), y)
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def run(self, x, y):
        for e in range(8):
            l = self.step(x, y)
            self.scheduler.step(l)
            print(e, l, self.optimizer.param_groups[0]["lr"])
