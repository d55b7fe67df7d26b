import torch.nn as nn


class M(nn.Module):
    def __init__(self, rnn_type, n, cells):
        super().__init__()
        if not cells:
            if rnn_type in ["LSTM", "GRU"]:
                self.rnn = getattr(nn, rnn_type)(3, 4, n)
            else:
                nonlinearity = {"RNN_TANH": "tanh", "RNN_RELU": "relu"}[rnn_type]
                self.rnn = nn.RNN(3, 4, n, nonlinearity=nonlinearity)
        else:
            if rnn_type in ["LSTM", "GRU"]:
                rnn_type = str(rnn_type) + "Cell"
                parts = []
                for i in range(n):
                    parts.append(getattr(nn, rnn_type)(3 if i == 0 else 4, 4))
                self.rnn = nn.ModuleList(parts)
            else:
                raise ValueError("no")
        self.rnn_type = rnn_type

    def forward(self, x):
        if isinstance(self.rnn, nn.ModuleList):
            for cell in self.rnn:
                x = cell(x)
            return x
        return self.rnn(x)[0]
