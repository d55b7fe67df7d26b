# flagged: T2J303
import torch
from torch import nn


class WeightEMA:
    def __init__(self, params, decay):
        self.decay = decay
        self.params = list(params)
        self.shadow = [p.clone().detach() for p in self.params]

    def step(self):
        for s, p in zip(self.shadow, self.params):
            s.sub_((1.0 - self.decay) * (s - p.detach()))

    def norm(self):
        return sum(s.pow(2).sum().item() for s in self.shadow)


model = nn.Linear(4, 3)
nn.init.constant_(model.weight, 0.1)
nn.init.zeros_(model.bias)
weights = WeightEMA(model.parameters(), 0.5)
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
for i in range(3):
    loss = model(torch.arange(8.0).view(2, 4)).pow(2).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    weights.step()
    print(loss.item(), weights.norm())
