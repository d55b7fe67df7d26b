# also: nnx, linen
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.a = nn.Linear(4, 4)
        self.fc = nn.Linear(4, 2)

    def forward(self, x):
        return self.fc(self.a(x))


net = Net()
for p in net.a.parameters():
    p.requires_grad = False
print(sum(p.numel() for p in net.parameters()))
print(sum(p.numel() for p in net.parameters() if p.requires_grad))
print([n for n, p in net.named_parameters() if p.requires_grad])
opt = torch.optim.SGD(filter(lambda p: p.requires_grad, net.parameters()), lr=0.1)
net(torch.ones(2, 4)).sum().backward()
opt.step()
for i, p in enumerate(net.parameters()):
    p.data.fill_(0.1 * i)
for n, p in net.named_parameters():
    print(n, tuple(p.shape), p.requires_grad)
