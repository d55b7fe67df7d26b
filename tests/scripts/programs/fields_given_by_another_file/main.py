# also: nnx linen
"""A part that some models of another file have is wrapped where they are made, as the ImageNet example does."""

import nets
import torch
from torch import nn

arch = "small"
model = nets.__dict__[arch]()
for name, p in model.named_parameters():
    nn.init.constant_(p, 0.1 if "weight" in name else 0.3)
if arch.startswith("alexnet") or arch.startswith("vgg"):
    model.features = torch.nn.DataParallel(model.features)
else:
    model = torch.nn.DataParallel(model)
criterion = nn.CrossEntropyLoss()
optimizer = torch.optim.SGD(model.parameters(), 0.5, momentum=0.9, weight_decay=1e-4)
x, y = torch.arange(12.0).reshape(4, 3) / 12, torch.tensor([0, 1, 0, 0])


def train(x, y, model, criterion, optimizer):
    model.train()
    for _ in range(3):
        output = model(x)
        loss = criterion(output, y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        print(loss.item())


train(x, y, model, criterion, optimizer)
print(model(x).tolist())
