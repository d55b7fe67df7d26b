# also: nnx, linen
# A mask that a file without torch makes with NumPy: the step that it selects in is not compiled.
import torch
import torch.nn.functional as F
from torch import nn

from package import Margin, Sums, evaluate, add_up
from package import train, train_others, batches
from package import held_out


model = nn.Linear(2, 2)
nn.init.constant_(model.weight, 0.5)
nn.init.constant_(model.bias, 0.1)
x, y = torch.arange(8.0).reshape(4, 2), torch.tensor([0, 1, 1, 0])
optimizer = torch.optim.SGD(model.parameters(), lr=0.5)
for _ in range(2):
    optimizer.zero_grad()
    loss = F.cross_entropy(model(x[~held_out]), y[~held_out])
    loss.backward()
    optimizer.step()
    print(round(loss.item(), 4))
print(round(evaluate(model, nn.CrossEntropyLoss(), x, y), 4))
print(round(evaluate(model, Margin(0.5), x, y), 4))
print(add_up(Sums(), [(torch.ones(3, 2), torch.ones(3, 2))]))
for batch in batches(2):
    print(round(train(model, optimizer, batch), 4))
    print(round(train_others(model, optimizer, batch["x"], batch["mask"]), 4))
