# also: nnx, linen
"""A teacher that follows its student by a field of the module, and a center that forward moves (DINO)."""

import torch
import torch.nn as nn
import torch.nn.functional as F
import copy


class Teacher(nn.Module):
    def __init__(self, student, momentum=0.9):
        super().__init__()
        self.student = student
        self.teacher = copy.deepcopy(student)
        self.teacher.requires_grad_(False)
        self.m = momentum
        self.register_buffer("center", torch.zeros(1, 3))

    @torch.no_grad()
    def update_teacher(self):
        for ps, pt in zip(self.student.parameters(), self.teacher.parameters()):
            pt.data.mul_(self.m).add_((1 - self.m) * ps.detach().data)

    @torch.no_grad()
    def update_center(self, teacher_output):
        batch_center = torch.sum(teacher_output, dim=0, keepdim=True) / len(teacher_output)
        self.center = self.center * 0.9 + batch_center * 0.1

    def forward(self, x1, x2):
        s = self.student(x1)
        with torch.no_grad():
            t = self.teacher(x2)
        p = F.softmax((t - self.center) / 0.5, dim=-1).detach()
        loss = torch.sum(-p * F.log_softmax(s / 0.9, dim=-1), dim=-1).mean()
        self.update_center(t)
        return loss

net = nn.Sequential(nn.Linear(4, 6), nn.GELU(), nn.Linear(6, 3))
for i, p in enumerate(net.parameters()):
    p.data = torch.linspace(-0.5, 0.6, p.numel()).view(p.shape) + 0.05 * i
model = Teacher(net)
opt = torch.optim.AdamW(model.student.parameters(), lr=0.01)
x = torch.linspace(-1, 1, 12).view(3, 4)
for e in range(3):
    loss = model(x, x + 0.1)
    opt.zero_grad()
    loss.backward()
    opt.step()
    model.update_teacher()
    print(e, loss.item(), model.center.sum().item(), sum(p.sum().item() for p in model.teacher.parameters()))
