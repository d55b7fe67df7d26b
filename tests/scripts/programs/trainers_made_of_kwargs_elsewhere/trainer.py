from torch import nn


class Trainer(object):
    def __init__(self, *args, **kwargs):
        self.args = kwargs['args']
        self.model = kwargs['model'].to(self.args['device'])
        self.optimizer = kwargs['optimizer']
        self.criterion = nn.MSELoss().to(self.args['device'])

    def train(self, x, y):
        for epoch in range(self.args['epochs']):
            loss = self.criterion(self.model(x), y)
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            print(epoch, loss.item())

