# Layers that begin anew, whichever they are, where the program makes norms: their statistics begin anew, too.
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(2, 2)
        self.norm = nn.BatchNorm1d(2)

    def forward(self, x):
        return self.norm(self.fc(x))


def reset(m):
    if hasattr(m, "reset_parameters"):
        m.reset_parameters()  # T2J603


net = Net()
net.apply(reset)
