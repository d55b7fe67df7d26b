# also: nnx, linen
import torch
import torch.nn.functional as F

from models import Net
from utils.start import count, fill, rate

model = Net(4)
model.apply(fill)
print(count(model), isinstance(model.body[1], torch.nn.BatchNorm2d))
optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
x = torch.arange(2 * 36.0).reshape(2, 1, 6, 6) / 36
for _ in range(3):
    loss = F.cross_entropy(model(x), torch.tensor([0, 2]))
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    print(loss.item(), rate(optimizer))
model.eval()
print(model(x).sum().item(), model.head.weight.sum().item())
