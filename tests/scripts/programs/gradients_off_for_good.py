"""Programs that switch gradients off for good: for the whole file, in a function, and where an object is made."""

import torch
import torch.nn as nn

torch.set_grad_enabled(False)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 2)
        nn.init.constant_(self.fc.weight, 0.5)
        nn.init.constant_(self.fc.bias, 0.25)

    def forward(self, x):
        return torch.relu(self.fc(x))


class Extractor:
    def __init__(self):
        torch.set_grad_enabled(False)
        self.net = Net()

    def __call__(self, x):
        return self.net(x)


def main():
    torch.set_grad_enabled(mode=False)
    model = Net()
    print(model(torch.ones(2, 3)).tolist())


main()
print(Extractor()(torch.arange(3.0)).tolist())
