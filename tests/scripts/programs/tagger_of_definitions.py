# also: nnx, linen
import torch
import torch.nn as nn


class Tagger(nn.Module):
    def __init__(self, vocab, tags, dim=8, hidden=6):
        super(Tagger, self).__init__()
        self.hidden_dim = hidden
        self.emb = nn.Embedding(vocab, dim)
        self.lstm = nn.LSTM(dim, hidden, batch_first=True, bidirectional=True)
        self.out = nn.Linear(2 * hidden, tags)

    def forward(self, x):
        h, _ = self.lstm(self.emb(x))
        return self.out(h)


model = Tagger(10, 4)
for i, p in enumerate(model.parameters()):
    p.data = torch.sin(torch.arange(p.numel(), dtype=torch.float32) + i).reshape(p.shape) * 0.2
x = torch.arange(15).reshape(3, 5) % 10
y = (x * 3) % 4
criterion = nn.CrossEntropyLoss()
opt = torch.optim.SGD(model.parameters(), lr=0.5)
for _ in range(4):
    model.zero_grad()
    scores = model(x)
    loss = criterion(scores.view(-1, 4), y.view(-1))
    loss.backward()
    opt.step()
    print(loss.item())
for name, p in model.named_parameters():
    print(name, p.sum().item())
