import torch
from torch import nn


class Gates(nn.Module):
    """What torch keeps of recurrent layers beside their parameters."""

    def __init__(self, size):
        super().__init__()
        self.rnn = nn.LSTM(size, size)
        for names in self.rnn._all_weights:  # T2J603
            print(names)
        print(len(self.rnn.all_weights))  # T2J603

    def forward(self, x):
        return self.rnn(x)[0]
