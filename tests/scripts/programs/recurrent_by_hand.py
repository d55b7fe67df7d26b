# also: linen
import torch
import torch.nn as nn


class RNN(nn.Module):
    def __init__(self, h):
        super().__init__()
        self.h = h
        self.l = nn.Linear(3, h)

    def forward(self, x, hidden):
        hidden = self.l(x) + hidden
        return torch.log_softmax(hidden, 1), hidden

    def initHidden(self):
        return torch.zeros(1, self.h)


rnn = RNN(2)
for i, p in enumerate(rnn.parameters()):
    p.data = torch.sin(torch.arange(p.numel()).float() + i).view(p.shape) * 0.2
criterion = nn.NLLLoss()
lr = 0.1


def train(y, x):
    rnn.zero_grad()
    hidden = torch.zeros(1, 2)
    for i in range(2):
        output, hidden = rnn(x[i], hidden)
    loss = criterion(output, y)
    loss.backward()
    for p in rnn.parameters():
        p.data.add_(p.grad.data, alpha=-lr)
    return output, loss.item()


for i in range(3):
    out, l = train(torch.tensor([1]), torch.ones(2, 1, 3) * (i + 1))
    print(out.sum().item(), l)
