# also: nnx, linen
import torch
import torch.nn as nn
import torch.nn.functional as F
from copy import deepcopy


class ModelEMA(nn.Module):
    def __init__(self, model, decay=0.9):
        super().__init__()
        self.module = deepcopy(model)
        self.module.eval()
        for p in self.module.parameters():
            p.requires_grad_(False)
        self.decay = decay

    @torch.no_grad()
    def update(self, model):
        for e, m in zip(self.module.parameters(), model.parameters()):
            e.mul_(self.decay).add_(m, alpha=1 - self.decay)
        for e, m in zip(self.module.buffers(), model.buffers()):
            e.copy_(m)

    def forward(self, x):
        return self.module(x)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(4, 6)
        self.bn = nn.BatchNorm1d(6)
        self.out = nn.Linear(6, 2)
        with torch.no_grad():
            for k, p in enumerate(self.parameters()):
                p.copy_(torch.sin(torch.arange(p.numel()).float() + k).reshape(p.shape) * 0.4)

    def forward(self, x):
        return self.out(torch.relu(self.bn(self.fc(x))))


student = Net()
teacher = ModelEMA(student)
opt = torch.optim.SGD(student.parameters(), lr=0.1)
x, y = torch.cos(torch.arange(32).float()).view(8, 4), torch.arange(8) % 2
for step in range(4):
    student.train()
    with torch.no_grad():
        target = torch.softmax(teacher(x), 1)
    logits = student(x + 0.1 * step)
    loss = F.cross_entropy(logits, y) + ((torch.softmax(logits, 1) - target) ** 2).mean()
    opt.zero_grad()
    loss.backward()
    opt.step()
    teacher.update(student)
    print("%.5f" % loss.item())
teacher.eval()
student.eval()
print("%.5f %.5f" % (teacher(x).sum().item(), student(x).sum().item()))
