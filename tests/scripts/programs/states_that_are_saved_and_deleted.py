# also: nnx, linen
import os
import tempfile
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.bn = nn.BatchNorm1d(2)
        self.fc = nn.Linear(2, 1)
        nn.init.constant_(self.fc.weight, 1.0)
        nn.init.constant_(self.fc.bias, 1.0)

    def forward(self, x):
        return self.fc(self.bn(x))


class Solver:
    def __init__(self):
        self.unet = None
        self.build_model()

    def build_model(self):
        self.unet = Net()
        self.optimizer = torch.optim.SGD(self.unet.parameters(), lr=0.01)

    def train(self, path):
        best_score = 0.0
        x = torch.arange(6.0).view(3, 2)
        for epoch in range(3):
            self.unet.train(True)
            loss = self.unet(x).pow(2).mean()
            self.unet.zero_grad()
            loss.backward()
            self.optimizer.step()
            self.unet.eval()
            score = 1 / (1 + self.unet(x).pow(2).mean().item())
            if score > best_score:
                best_score = score
                best_unet = self.unet.state_dict()
                print('best', best_score)
                torch.save(best_unet, path)
        del self.unet
        del best_unet
        self.build_model()
        self.unet.load_state_dict(torch.load(path))
        self.unet.train(False)
        self.unet.eval()
        print(self.unet(x).tolist())


with tempfile.TemporaryDirectory() as d:
    Solver().train(os.path.join(d, 'm.pt'))
