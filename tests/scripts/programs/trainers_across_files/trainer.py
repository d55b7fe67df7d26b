import torch


class Trainer:
    def __init__(self, model, data):
        self.model = model
        self.optimizer = None
        self.data = data

    def run(self):
        self.optimizer = torch.optim.SGD(self.model.parameters(), lr=0.1)
        self.model.train()
        for x, y in self.data:
            self.loss = (self.model(x) - y).pow(2).mean()
            self.optimizer.zero_grad()
            self.loss.backward()
            self.optimizer.step()
