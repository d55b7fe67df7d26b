"""Arguments that losses had once, and softmax without its axis."""

import warnings

import torch
import torch.nn as nn
import torch.nn.functional as F

warnings.simplefilter("ignore")
x = torch.tensor([[0.2, 0.7], [0.4, 0.9]])
y = torch.tensor([[0.0, 1.0], [1.0, 1.0]])
labels = torch.tensor([0, 1])
print(F.binary_cross_entropy(x, y, size_average=False).item(), F.mse_loss(x, y, reduce=False).tolist())
print(F.mse_loss(x, y, size_average=True, reduce=True).item(), F.nll_loss(x, labels, size_average=False).item())
print(
    nn.MSELoss(size_average=False)(x, y).item(),
    nn.CrossEntropyLoss(reduce=False)(x, labels).tolist(),
    nn.L1Loss(size_average=None, reduction="sum")(x, y).item(),
)


def attention(scores):
    return F.softmax(scores), F.log_softmax(scores)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.soft = nn.Softmax()

    def forward(self, x):
        return self.soft(x)


for shape in [(4,), (2, 3), (2, 2, 2), (1, 2, 2, 1)]:
    a, b = attention(torch.arange(1.0, 5.0).repeat(3)[: torch.Size(shape).numel()].reshape(shape))
    print(a.flatten().tolist(), b.flatten().tolist(), Net()(a).flatten().tolist())

# the wrapper of tensors from before torch 0.4, under a name that hides where they lie
USE_CUDA = torch.cuda.is_available()
Variable = lambda *args, **kwargs: (  # noqa: E731
    torch.autograd.Variable(*args, **kwargs).cuda() if USE_CUDA else torch.autograd.Variable(*args, **kwargs)
)
print(Variable(torch.ones(2), volatile=True) + torch.autograd.Variable(torch.ones(2), volatile=True))
