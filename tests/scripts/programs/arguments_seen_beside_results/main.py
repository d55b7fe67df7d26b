# flagged: T2J300
# A view of what a module changes is read behind the call.
import torch
import torch.nn as nn
from parts import Classifier, Embed


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = Embed()
        self.classifier = Classifier(4, 3)

    def forward(self, x, mask=None):
        x, mask = self.embed(x, mask=mask)
        return self.classifier(x, mask=mask)


class Twice(nn.Module):
    def __init__(self):
        super().__init__()
        self.embed = Embed()
        self.classifier = Classifier(4, 3)

    def forward(self, x, mask=None):
        h, m = self.embed(x, mask)
        g = h.view(-1, 3)
        y = self.classifier(h, m)
        return y + g.sum()


for net in (Net(), Twice()):
    with torch.no_grad():
        for p in net.parameters():
            p.copy_(torch.sin(torch.arange(p.numel()).float() * 0.7 + 1).view(p.shape) * 0.5)
    x = torch.arange(8).view(2, 4) % 7
    mask = x > 2
    print(net(x).sum().item(), net(x, mask).sum().item())
