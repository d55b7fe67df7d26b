"""Methods that load what fits of a state dict, called behind dicts that were made of the module's values."""

import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.head = nn.Linear(3, 2)
        self.tail = nn.Linear(2, 2)

    def forward(self, x):
        return self.tail(self.head(x))

    def load_known(self, values, strict=True):
        own = self.state_dict()
        for name, value in values.items():
            if name in own:
                if isinstance(value, nn.Parameter):
                    value = value.data
                own[name].copy_(value)
            elif strict:
                raise KeyError(f"unexpected key {name} in state_dict")

    def load_all(self, values):
        self.load_state_dict(values)


net = Net()
state = {k: torch.arange(v.numel()).reshape(v.shape) * 0.1 for k, v in net.state_dict().items()}
net.load_known({**state, "other": torch.zeros(1)}, strict=False)
print(net(torch.ones(2, 3)).sum().item())
half = {k: v / 2 for k, v in net.state_dict().items()}
net.load_all(half)
print(net(torch.ones(2, 3)).sum().item())
try:
    net.load_known({"other": torch.zeros(1)})
except KeyError as error:
    print(error)
