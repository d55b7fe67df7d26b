# flagged: T2J604, also: nnx, linen
import torch
import torch.nn as nn
import torch.nn.functional as F


class LM(nn.Module):
    def __init__(self, vocab=7, dim=4):
        super().__init__()
        self.transformer = nn.ModuleDict(dict(wte=nn.Embedding(vocab, dim), ln=nn.LayerNorm(dim)))
        self.head = nn.Linear(dim, vocab, bias=False)
        self.transformer.wte.weight = self.head.weight
        self.apply(self._init)

    def _init(self, m):
        if isinstance(m, nn.Linear):
            nn.init.constant_(m.weight, 0.1)
        elif isinstance(m, nn.Embedding):
            nn.init.constant_(m.weight, 0.2)

    def forward(self, i):
        return self.head(self.transformer.ln(self.transformer.wte(i) * torch.arange(4)))


m = LM()
for n, p in m.named_parameters():
    print(n, p.sum().item(), p.shape)
print(len(list(m.parameters())), list(m.state_dict()))
opt = torch.optim.SGD(m.parameters(), lr=0.1, weight_decay=0.1)
x = torch.tensor([[1, 2, 3]])
for _ in range(3):
    opt.zero_grad()
    loss = F.cross_entropy(m(x).view(-1, 7), torch.tensor([2, 3, 4]))
    loss.backward()
    opt.step()
    print(loss.item())
print(m.head.weight.sum().item(), m.transformer.wte.weight.sum().item())
