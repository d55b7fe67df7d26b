# flagged: T2J303
import torch
import torch.nn as nn


class Trainer:
    def __init__(self, model):
        self.model = model
        self.optimizer = torch.optim.SGD(model.parameters(), lr=0.1)

    def run(self, x):
        for _ in range(3):
            loss = self.model(x).pow(2).mean()
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()


class Evaluator:
    def __init__(self, model):
        self.model = model

    def score(self, x):
        with torch.no_grad():
            return self.model(x).sum().item()


def main():
    torch.manual_seed(0)
    net = nn.Linear(3, 1)
    with torch.no_grad():
        net.weight.fill_(0.5)
        net.bias.fill_(0.1)
    x = torch.ones(2, 3)
    evaluator = Evaluator(net)
    trainer = Trainer(net)
    trainer.run(x)
    print(evaluator.score(x))


main()
