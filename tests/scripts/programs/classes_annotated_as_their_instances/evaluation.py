import torch
import torch.nn as nn


class Normed(nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = nn.BatchNorm1d(2)

    def forward(self, x):
        return self.norm(x)


def evaluate(weights, Model: nn.Module, n, device=torch.device("cpu")):
    model = Model(n).to(device)
    model.load_state_dict(weights)
    model.eval()
    return model(torch.arange(float(n)).view(1, n)).sum().item()
