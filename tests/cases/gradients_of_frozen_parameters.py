import torch
import torch.nn as nn


class Scaled(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Parameter(torch.ones(3))
        self.c = nn.Parameter(torch.ones(3) * 5, requires_grad=False)

    def forward(self, x):
        return self.a * x + self.c * x


net = Scaled()
trained = [p for p in net.parameters() if p.requires_grad]
loss = net(torch.arange(3.0)).pow(2).sum()  # T2J200
grads = torch.autograd.grad(loss, trained)
print(len(grads))
