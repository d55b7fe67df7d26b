# also: nnx, linen
"""Functions and methods of another file that compute without gradients, called in a step of this one."""
import torch
import torch.nn as nn

from helpers import Teacher, features, scale_of, targets

body, head, fixed = nn.Linear(3, 3), nn.Linear(3, 3), nn.Linear(3, 3)
with torch.no_grad():
    for k, m in enumerate((body, head, fixed)):
        m.weight.copy_(torch.sin(torch.arange(9.0) + k).view(3, 3) * 0.4)
        m.bias.fill_(0.1 * (k + 1))
teacher = Teacher(fixed)
optimizer = torch.optim.SGD(list(body.parameters()) + list(head.parameters()), lr=0.05)
x = torch.cos(torch.arange(12.0)).view(4, 3)

for _ in range(3):
    out = head(features(body, x))
    student = head(body(x))
    loss = ((student - targets(head, x)) ** 2).mean() + out.pow(2).mean() / scale_of(out)
    loss = loss + (student * teacher.distances(x)).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(f"{loss.item():.5f}", [round(v, 5) for v in body.weight.flatten().tolist()])
