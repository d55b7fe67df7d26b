# also: nnx
"""A model that a list holds beside its trainer, which derives from one of another file."""

import os
import tempfile

import torch
import torch.nn as nn
from trainer import Trainer


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 2)
        self.bn = nn.BatchNorm1d(2)
        with torch.no_grad():
            for p in self.parameters():
                p.copy_(torch.sin(torch.arange(p.numel()).float()).view(p.shape))

    def forward(self, x):
        return self.bn(self.fc(x)) + self.fc(x)


def main(path, resume):
    model = Net()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    x = torch.arange(12.0).view(3, 4) / 12
    models = [model]
    trainer = Trainer(model, optimizer, [x, x * 2], path, resume)
    trainer.train()
    print("%.4f" % models[0](x).sum().item())


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        main(os.path.join(folder, "checkpoint.pt"), False)
        main(os.path.join(folder, "checkpoint.pt"), True)
