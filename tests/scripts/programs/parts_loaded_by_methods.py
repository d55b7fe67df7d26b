"""Methods that load values into parts of their module, one of which has statistics."""
# also: nnx, linen

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.BatchNorm1d(3)
        self.head = nn.Linear(3, 2)

    def forward(self, x):
        return self.head(self.body(x))

    def refill(self, values):
        self.body.load_state_dict(values)

    def rehead(self, values):
        self.head.load_state_dict(values)


net = Net()
values = {
    "weight": torch.full((3,), 2.0),
    "bias": torch.full((3,), 0.5),
    "running_mean": torch.tensor([0.1, 0.2, 0.3]),
    "running_var": torch.full((3,), 4.0),
    "num_batches_tracked": torch.tensor(3),
}
net.refill(values)
net.rehead({"weight": torch.ones(2, 3), "bias": torch.zeros(2)})
net.eval()
print(net(torch.ones(2, 3)).sum().item(), net.body.running_var.sum().item())
net.train()
x = torch.linspace(-1, 2, 12).view(4, 3)
print(net(x).abs().sum().item(), net.body.running_mean.sum().item())
