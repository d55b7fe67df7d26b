# also: nnx, linen
"""Functions and methods under `@torch.no_grad()` that losses use: what they return are constants, whatever way they leave."""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


@torch.no_grad()
def accuracy(output, target, topk=(1,)):
    """Several results, in a list; none for no target."""
    if target.numel() == 0:
        return [torch.zeros([])]
    _, pred = output.topk(max(topk), 1, True, True)
    correct = pred.t().eq(target.view(1, -1).expand_as(pred.t()))
    results = []
    for k in topk:
        results.append(correct[:k].reshape(-1).float().sum(0).mul_(100.0 / target.size(0)))
    return results


@torch.no_grad()
def sharpened(logits: torch.Tensor, temperature: float) -> torch.Tensor:
    p = F.softmax(logits, dim=-1) ** (1 / temperature)
    if temperature == 1.0:
        return F.softmax(logits, dim=-1)
    return p / p.sum(dim=-1, keepdim=True)


def normalized(x):
    with torch.no_grad():
        if x.shape[0] > 100:
            return x * 0.0
        scale = x.norm(dim=1, keepdim=True)
    return x / scale


class Criterion(nn.Module):
    def __init__(self, weight):
        super().__init__()
        self.weight = weight

    @torch.no_grad()
    def loss_cardinality(self, outputs, targets):
        count = (outputs["logits"].argmax(-1) != 0).sum()
        losses = {"cardinality": (count.float() - targets.float().sum()).abs()}
        return losses

    @torch.no_grad()
    def matched(self, logits):
        pairs = [(row.argmax(), row.max()) for row in logits]
        return pairs

    def forward(self, outputs, targets):
        losses = {"ce": F.cross_entropy(outputs["logits"], targets)}
        losses.update(self.loss_cardinality(outputs, targets))
        losses["matched"] = sum(value for _, value in self.matched(outputs["logits"]))
        return losses["ce"] + self.weight * losses["cardinality"] + 0.1 * losses["matched"] * losses["ce"]


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 3)
        with torch.no_grad():
            self.fc.weight.copy_(torch.arange(12.0).view(3, 4) / 10 - 0.5)
            self.fc.bias.zero_()

    def forward(self, x):
        logits = self.fc(normalized(x))
        target = sharpened(logits, 0.5)
        return logits, -(target * F.log_softmax(logits, dim=-1)).sum(-1).mean()


net, criterion = Net(), Criterion(0.01)
optimizer = torch.optim.SGD(net.parameters(), lr=0.5)
x = torch.sin(torch.arange(24.0)).view(6, 4)
y = torch.tensor([0, 1, 2, 0, 1, 2])
for step in range(4):
    logits, entropy = net(x)
    first, second = accuracy(logits, y, topk=(1, 2))
    loss = criterion({"logits": logits}, y) + 0.3 * entropy + 0.001 * first * entropy
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(step, round(loss.item(), 4), round(second.item(), 2))
print(net.fc.weight.detach().sum(dim=1))
