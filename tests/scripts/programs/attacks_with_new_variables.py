# also: nnx
import torch
import torch.nn as nn
from torch.autograd import Variable


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_(torch.linspace(-0.5, 0.6, p.numel()).reshape(p.shape) * (1 + 0.1 * i))


class Net(nn.Module):
    def __init__(self, i=4, o=3):
        super().__init__()
        self.body = nn.Linear(i, 5)
        self.head = nn.Linear(5, o)

    def forward(self, x):
        return self.head(torch.tanh(self.body(x)))


def pgd(model, X, y, epsilon=0.1, num_steps=3, step_size=0.03):
    out = model(X)
    err = (out.data.max(1)[1] != y.data).float().sum()
    X_pgd = Variable(X.data, requires_grad=True)
    noise = torch.linspace(-epsilon, epsilon, X.numel()).reshape(X.shape)
    X_pgd = Variable(X_pgd.data + noise, requires_grad=True)
    for _ in range(num_steps):
        opt = torch.optim.SGD([X_pgd], lr=1e-3)
        opt.zero_grad()
        with torch.enable_grad():
            loss = nn.CrossEntropyLoss()(model(X_pgd), y)
        loss.backward()
        eta = step_size * X_pgd.grad.data.sign()
        X_pgd = Variable(X_pgd.data + eta, requires_grad=True)
        eta = torch.clamp(X_pgd.data - X.data, -epsilon, epsilon)
        X_pgd = Variable(X.data + eta, requires_grad=True)
        X_pgd = Variable(torch.clamp(X_pgd, 0, 1.0), requires_grad=True)
    err_pgd = (model(X_pgd).data.max(1)[1] != y.data).float().sum()
    print("err", err_pgd.item(), X_pgd.sum().item())
    return err, err_pgd


net = Net()
fill(net)
X = torch.linspace(0, 1, 16).reshape(4, 4)
y = torch.tensor([0, 1, 2, 1])
print(*[e.item() for e in pgd(net, X, y)])
