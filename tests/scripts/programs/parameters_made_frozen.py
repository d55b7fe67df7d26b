# also: nnx
import torch
import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.pos = nn.Parameter(torch.ones(1, 4), requires_grad=False)
        self.fc = nn.Linear(4, 2)
        self.scale = nn.Parameter(torch.tensor([2.0, 3.0]), requires_grad=False)

    def forward(self, x):
        return self.fc(x + self.pos) * self.scale


net = Net()
print(sum(p.numel() for p in net.parameters()))
print(len(list(net.parameters())))
print(sum(p.numel() for p in net.parameters() if p.requires_grad))
print([n for n, p in net.named_parameters()])
print([n for n, p in net.named_parameters() if p.requires_grad])
print([n for n, _ in net.named_buffers()])
print(list(net.state_dict()))
for i, p in enumerate(net.parameters()):
    p.data.fill_(0.1 * i)
print(net.pos.sum().item(), net.scale.sum().item())
for n, p in net.named_parameters():
    print(n, tuple(p.shape), p.requires_grad)


class Scale(nn.Module):
    def __init__(self, n, learnable):
        super().__init__()
        self.w = nn.Parameter(torch.ones(n), requires_grad=learnable)
        self.b = nn.Parameter(torch.zeros(n), not learnable)

    def forward(self, x):
        return x * self.w + self.b


for flag in (False, True):
    s = nn.Sequential(Scale(3, flag), Scale(3, not flag))
    opt = torch.optim.SGD(s.parameters(), lr=0.1)
    for _ in range(2):
        opt.zero_grad()
        s(torch.arange(3.0)).sum().backward()
        opt.step()
    print([round(v, 4) for p in s.parameters() for v in p.tolist()])
    print(sum(p.numel() for p in s.parameters()), sum(p.numel() for p in s.parameters() if p.requires_grad))
