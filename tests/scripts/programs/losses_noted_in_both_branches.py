# also: nnx
import argparse

import numpy as np
import torch
from torch import nn, optim


class Exp:
    def __init__(self, args):
        self.args = args
        self.device = torch.device("cpu")
        self.model = nn.Linear(4, 2).float().to(self.device)
        with torch.no_grad():
            for i, p in enumerate(self.model.parameters()):
                p.copy_(torch.sin(torch.arange(p.numel()).float() * 0.7 + i).reshape(p.shape) * 0.5)

    def _select_optimizer(self):
        return optim.Adam(self.model.parameters(), lr=self.args.learning_rate)

    def train(self, loader):
        model_optim = self._select_optimizer()
        criterion = nn.MSELoss()
        if self.args.use_amp:
            scaler = torch.cuda.amp.GradScaler()
        for epoch in range(self.args.train_epochs):
            iter_count = 0
            train_loss = []
            self.model.train()
            for i, (batch_x, batch_y) in enumerate(loader):
                iter_count += 1
                model_optim.zero_grad()
                batch_x = batch_x.float().to(self.device)
                batch_y = batch_y.float().to(self.device)
                if self.args.use_amp:
                    with torch.cuda.amp.autocast():
                        outputs = self.model(batch_x)
                        outputs = outputs[:, -1:]
                        batch_y = batch_y[:, -1:].to(self.device)
                        loss = criterion(outputs, batch_y)
                        train_loss.append(loss.item())
                else:
                    outputs = self.model(batch_x)
                    outputs = outputs[:, -1:]
                    batch_y = batch_y[:, -1:].to(self.device)
                    loss = criterion(outputs, batch_y)
                    train_loss.append(loss.item())

                if (i + 1) % 2 == 0:
                    print("\titers: {0}, epoch: {1} | loss: {2:.7f}".format(i + 1, epoch + 1, loss.item()))
                    iter_count = 0

                if self.args.use_amp:
                    scaler.scale(loss).backward()
                    scaler.step(model_optim)
                    scaler.update()
                else:
                    loss.backward()
                    model_optim.step()
            train_loss = np.average(train_loss)
            print("Epoch: {0} | Train Loss: {1:.7f}".format(epoch + 1, train_loss))
        return self.model


parser = argparse.ArgumentParser()
parser.add_argument("--use_amp", action="store_true")
parser.add_argument("--train_epochs", type=int, default=2)
parser.add_argument("--learning_rate", type=float, default=0.01)
data = torch.cos(torch.arange(96).float()).reshape(4, 6, 4)
loader = [(x, x[:, :2] * 0.5) for x in data]
Exp(parser.parse_args([])).train(loader)
