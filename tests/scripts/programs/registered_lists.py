# also: nnx
import torch
import torch.nn as nn


class Att(nn.Module):
    def __init__(self, i):
        super().__init__()
        self.w = nn.Parameter(torch.full((3, 2), 0.1 * i))

    def forward(self, x):
        return x @ self.w


class GAT(nn.Module):
    def __init__(self, heads):
        super().__init__()
        self.attentions = [Att(i) for i in range(heads)]
        for i, attention in enumerate(self.attentions):
            self.add_module("attention_{}".format(i), attention)
        self.out = Att(5)

    def forward(self, x):
        return torch.cat([a(x) for a in self.attentions], 1)


g = GAT(3)
opt = torch.optim.SGD(g.parameters(), lr=0.1)
for _ in range(2):
    loss = g(torch.ones(2, 3)).pow(2).sum()
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item())
print([n for n, _ in g.named_parameters()], list(g.state_dict()))
