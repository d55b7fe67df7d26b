# also: nnx, linen
"""Groups of parameters that generators yield by the names and classes of layers."""

import torch
from torch import nn
class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.layer1 = nn.Sequential(nn.Linear(2, 2), nn.ReLU())
        self.aspp = nn.Linear(2, 1)
    def forward(self, x):
        return self.aspp(self.layer1(x))
def get_params(model, key):
    if key == "1x":
        for m in model.named_modules():
            if "layer" in m[0]:
                if isinstance(m[1], nn.Linear):
                    for p in m[1].parameters():
                        yield p
    if key == "10x":
        for m in model.named_modules():
            if "aspp" in m[0]:
                if isinstance(m[1], nn.Linear):
                    yield m[1].weight
    if key == "20x":
        for m in model.named_modules():
            if "aspp" in m[0]:
                if isinstance(m[1], nn.Linear):
                    yield m[1].bias
def main():
    model = Net()
    for p in model.parameters():
        p.data.fill_(0.1)
    optimizer = torch.optim.SGD(
        params=[
            {"params": get_params(model, key="1x"), "lr": 0.1, "weight_decay": 0.01},
            {"params": get_params(model, key="10x"), "lr": 1.0, "weight_decay": 0.01},
            {"params": get_params(model, key="20x"), "lr": 2.0, "weight_decay": 0.0},
        ],
        momentum=0.9,
    )
    for k in range(3):
        optimizer.zero_grad()
        loss = (model(torch.ones(3, 2)) - 1).pow(2).mean()
        loss.backward()
        optimizer.step()
        print(loss.item())
main()
