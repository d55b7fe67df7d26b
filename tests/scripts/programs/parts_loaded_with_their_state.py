# also: nnx, linen
"""Parts with statistics that are loaded from other models."""

import torch
import torch.nn as nn


def fill(model, s):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float32) * s + i).view(p.shape) * 0.3)
    return model


class Encoder(nn.Module):
    def __init__(self):
        super().__init__()
        self.layers = nn.ModuleList([nn.Linear(3, 3), nn.BatchNorm1d(3)])

    def forward(self, x):
        for layer in self.layers:
            x = layer(x)
        return x


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.encoder = Encoder()
        self.bn = nn.BatchNorm1d(3)
        self.fc = nn.Linear(3, 2)

    def forward(self, x):
        return self.fc(self.bn(torch.tanh(self.encoder(x))))


def take_over(student, teacher):
    student.encoder.load_state_dict(teacher.encoder.state_dict())
    student.fc.load_state_dict(teacher.fc.state_dict())


x = torch.arange(12.0).reshape(4, 3) / 7
net, other = fill(Net(), 0.7), fill(Net(), 0.4)
net(x)
net(x * 2)
other.bn.load_state_dict(net.bn.state_dict())
print(other.bn.running_mean.tolist(), other.bn.num_batches_tracked.item())
other.eval()
print(other(x).sum().item())
take_over(other, net)
net.eval()
print(net(x).sum().item(), other(x).sum().item())
third = fill(Net(), 0.2)
third.encoder.layers[1].load_state_dict(net.encoder.layers[1].state_dict())
saved = net.bn.state_dict()
third.bn.load_state_dict({k: v * 2 for k, v in saved.items()})
third.eval()
print(third(x).sum().item(), third.bn.running_var.tolist())
