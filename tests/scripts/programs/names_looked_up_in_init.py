# also: nnx, linen
import torch
import torch.nn as nn


class Tagger(nn.Module):
    def __init__(self, kind, size):
        super().__init__()
        try:
            nonlinearity = {"RNN_TANH": "tanh", "RNN_RELU": "relu"}[kind]
        except KeyError:
            raise ValueError("no such network")
        self.rnn = nn.RNN(size, size, nonlinearity=nonlinearity)
        try:
            self.scale = float(size)
        except TypeError:
            self.scale = 1.0
        for p in self.rnn.parameters():
            nn.init.constant_(p, 0.1)

    def forward(self, x):
        return self.rnn(x)[0] * self.scale


x = torch.linspace(-1, 1, 12).view(2, 2, 3)
for kind in ("RNN_TANH", "RNN_RELU", "LSTM"):
    try:
        net = Tagger(kind, 3)
    except ValueError as error:
        print(error)
        continue
    opt = torch.optim.SGD(net.parameters(), lr=0.1)
    for i in range(2):
        loss = net(x).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(loss.item())
