# also: nnx, linen
# Tensors and models that functions of another file go on changing, under the names by which they were imported.
import torch
from lib import bump, net as model, total, train

x = torch.sin(torch.arange(12.0)).reshape(4, 3)


def predict():
    return model(x).sum().item()


for i in range(3):
    print(train(x), model(x).sum().item(), predict())
    bump(torch.ones(3))
    print(total.tolist(), (total * 2).sum().item())
