# also: nnx
"""The weights of recurrent layers are laid out for cuDNN, in a model that was loaded and in layers of a class chosen by name."""

import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self, rnn_type):
        super().__init__()
        if rnn_type in ["LSTM", "GRU"]:
            self.rnn = getattr(nn, rnn_type)(3, 4, num_layers=1)
        else:
            self.rnn = nn.RNN(3, 4)
        self.fc = nn.Linear(4, 2)
        for i, p in enumerate(self.parameters()):
            p.data.copy_(torch.sin(torch.arange(p.numel()).float() + i).view_as(p))

    def forward(self, x):
        self.rnn.flatten_parameters()
        return self.fc(self.rnn(x)[0])


for name in ["GRU", "LSTM"]:
    net = Net(name)
    if hasattr(net, "rnn"):
        net.rnn.flatten_parameters()
    torch.save(net, "net.pt")
    with open("net.pt", "rb") as f:
        loaded = torch.load(f, weights_only=False)
        if name in ["GRU", "LSTM"]:
            loaded.rnn.flatten_parameters()
    with torch.no_grad():
        print(loaded(torch.ones(2, 1, 3)).sum().item())
