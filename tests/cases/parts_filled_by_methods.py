import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.Linear(3, 1))

    def kinds(self):
        found = []

        def look(layer):
            if isinstance(layer, nn.Linear):
                found.append(layer.in_features)

        self.body.apply(look)
        return found

    def zero(self):
        def fill(layer):
            if isinstance(layer, nn.Linear):
                nn.init.zeros_(layer.weight)

        self.body.apply(fill)  # T2J606

    def forward(self, x):
        return self.body(x)


net = Net()
print(net.kinds())
net.zero()
