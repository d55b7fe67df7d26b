# also: nnx, linen
"""A tied weight that is filled last under the name that goes, by a choice that was taken where it was tied; its layer may not be made."""

import torch
import torch.nn as nn


class RNNModel(nn.Module):
    def __init__(self, rnn_type, ntoken, ninp, nhid, nlayers, dropout=0.5, tie_weights=False, adaptive=False):
        super().__init__()
        self.drop = nn.Dropout(dropout)
        self.encoder = nn.Embedding(ntoken, ninp)
        self.rnn = nn.GRU(ninp, nhid, nlayers, dropout=dropout)
        if not adaptive:
            self.adaptive = adaptive
            self.decoder = nn.Linear(nhid, ntoken)
            if tie_weights:
                if nhid != ninp:
                    raise ValueError("When using the tied flag, nhid must be equal to emsize")
                self.decoder.weight = self.encoder.weight
        else:
            self.decoder_adaptive = nn.Linear(nhid, nhid)
            self.adaptive = adaptive
        self.init_weights()
        self.nhid = nhid

    def init_weights(self):
        self.encoder.weight.data.uniform_(-0.1, 0.1)
        if not self.adaptive:
            self.decoder.bias.data.zero_()
            self.decoder.weight.data.uniform_(-0.1, 0.1)

    def forward(self, x, hidden):
        emb = self.drop(self.encoder(x))
        output, hidden = self.rnn(emb, hidden)
        output = self.drop(output)
        if not self.adaptive:
            return self.decoder(output), hidden
        return self.decoder_adaptive(output), hidden


for tie, adaptive in ((True, False), (False, False), (True, True)):
    torch.manual_seed(0)
    net = RNNModel("GRU", 7, 4, 4, 1, 0.0, tie, adaptive)
    for p in net.parameters():
        p.data.copy_(torch.linspace(-1, 1, p.numel()).view(p.shape))
    opt = torch.optim.SGD(net.parameters(), lr=0.5)
    x = torch.tensor([[1, 2], [3, 4]])
    print(sum(p.numel() for p in net.parameters()))
    for i in range(3):
        y, h = net(x, None)
        loss = (y - 1).pow(2).mean()
        opt.zero_grad()
        loss.backward()
        opt.step()
        print(loss.item())
