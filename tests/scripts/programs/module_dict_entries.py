# also: nnx, linen
import torch
import torch.nn as nn
from torch.nn import functional as F


class Block(nn.Module):
    def __init__(self, n):
        super().__init__()
        self.parts = nn.ModuleDict(
            dict(up=nn.Linear(n, 2 * n), act=nn.ReLU(), down=nn.Linear(2 * n, n), drop=nn.Dropout(0.1))
        )
        p = self.parts
        self.mix = lambda x: p.drop(p.down(p.act(p.up(x))))

    def forward(self, x):
        return x + self.mix(x)


class Net(nn.Module):
    def __init__(self, n, v):
        super().__init__()
        self.body = nn.ModuleDict(
            dict(
                tok=nn.Embedding(v, n),
                drop=nn.Dropout(0.1),
                h=nn.ModuleList([Block(n) for _ in range(2)]),
                norm=nn.LayerNorm(n),
            )
        )
        self.head = nn.Linear(n, v, bias=False)
        self.body.tok.weight = self.head.weight
        self.apply(self._init)

    def _init(self, module):
        if isinstance(module, nn.Linear):
            module.weight.data.fill_(0.02 * module.in_features)
            if module.bias is not None:
                torch.nn.init.zeros_(module.bias)
            module.weight.data[0] = 0.5
        elif isinstance(module, nn.Embedding):
            torch.nn.init.uniform_(module.weight, 0.03, 0.03)

    def forward(self, tokens):
        x = self.body.drop(self.body.tok(tokens))
        for block in self.body.h:
            x = block(x)
        x = self.body.norm(x)
        return self.head(x)


model = Net(4, 5)
print(model.body.tok.weight.shape)
model.eval()
print(model(torch.tensor([[1, 2]])).sum().item())
print(sum(p.numel() for p in model.parameters()))
model.train()
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
model.eval()
for i in range(3):
    logits = model(torch.tensor([[1, 2, 3]]))
    loss = F.cross_entropy(logits.view(-1, 5), torch.tensor([0, 1, 2]))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item())
