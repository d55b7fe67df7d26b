# also: nnx, linen
"""Tables that are given: frozen unless it is said otherwise, with a row that is not trained."""

import torch
from torch import nn
W = torch.sin(torch.arange(15.0)).view(5, 3)
class M(nn.Module):
    def __init__(self, w):
        super().__init__()
        self.emb = nn.Embedding.from_pretrained(w)
        self.emb2 = nn.Embedding.from_pretrained(w, freeze=True)
        self.emb3 = nn.Embedding.from_pretrained(w * 2, freeze=False, padding_idx=0)
        self.emb4 = nn.Embedding.from_pretrained(embeddings=w, padding_idx=1)
        self.fc = nn.Linear(3, 2)
        self.fc.weight.data.copy_(torch.cos(torch.arange(6.0)).view(2, 3))
        self.fc.bias.data.zero_()
    def forward(self, x):
        return self.fc(self.emb(x) + self.emb2(x) * 0.5 + self.emb3(x) + self.emb4(x))
m = M(W)
opt = torch.optim.SGD([p for p in m.parameters() if p.requires_grad], lr=0.1)
x = torch.tensor([[0, 1, 2], [3, 4, 0]])
for i in range(3):
    loss = m(x).pow(2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(round(loss.item(), 5))
print([round(v, 4) for v in m.emb.weight.sum(1).tolist()], [round(v, 4) for v in m.emb3.weight.sum(1).tolist()])

plain = nn.Embedding.from_pretrained(W)
print([round(v, 4) for v in plain(torch.tensor(2)).tolist()], W.sum().item() == plain.weight.sum().item())
def table(w, freeze):
    return nn.Embedding.from_pretrained(w + 1, freeze=False, padding_idx=2)
class N(nn.Module):
    def __init__(self, freeze):
        super().__init__()
        self.a = table(W, freeze)
        self.b = nn.Embedding.from_pretrained(W, freeze=freeze)
    def forward(self, x):
        return self.a(x) + self.b(x)
n = N(False)
f = N(freeze=True)
opt = torch.optim.SGD(n.parameters(), lr=0.1)
loss = (n(x) * 2 + f(x)).pow(2).mean()
loss.backward()
opt.step()
print(round(loss.item(), 4), round(n.a.weight.sum().item(), 4), round(f.a.weight.sum().item(), 4))
