# also: nnx, linen
"""A student, its average and a queue of features that one function makes global, and others change."""

import copy
import torch
from torch import nn


def build():
    global student, teacher, queue, ptr
    torch.manual_seed(0)
    student = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3), nn.Dropout(0.0))
    for p in student.parameters():
        nn.init.constant_(p, 0.3)
    teacher = copy.deepcopy(student)
    for p in teacher.parameters():
        p.requires_grad = False
    queue = torch.zeros(4, 3)
    ptr = 0


@torch.no_grad()
def update(m=0.9):
    for s, t in zip(student.parameters(), teacher.parameters()):
        t.data = t.data * m + s.data * (1 - m)


@torch.no_grad()
def enqueue(x):
    global ptr
    n = x.shape[0]
    queue[ptr : ptr + n] = x
    ptr = (ptr + n) % 4


def main():
    build()
    optimizer = torch.optim.SGD(student.parameters(), lr=0.1)
    x = torch.sin(torch.arange(4.0)).reshape(2, 2)
    for i in range(3):
        out = student(x)
        loss = (out - teacher(x).detach() + 1).pow(2).mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        update()
        enqueue(teacher(x))
        print(loss.item(), queue.sum().item(), ptr)
    print([p.sum().item() for p in teacher.parameters()])


main()
print(list(queue.shape), [p.sum().item() for p in student.parameters()])
