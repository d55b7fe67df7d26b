# also: nnx, linen
"""Attacks and saliency maps written out at the level of a file: gradients of inputs beside those of the model."""

import torch
import torch.nn as nn
import torch.nn.functional as F

torch.manual_seed(0)


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1, self.fc2 = nn.Linear(4, 8), nn.Linear(8, 3)

    def forward(self, x):
        return self.fc2(torch.tanh(self.fc1(x)))


model = Net()
with torch.no_grad():
    for i, p in enumerate(model.parameters()):
        p.copy_(torch.sin(torch.arange(p.numel()).float() + i).reshape(p.shape) * 0.5)
opt = torch.optim.SGD(model.parameters(), lr=0.1)
data = [(torch.cos(torch.arange(12.0) + i).reshape(3, 4), torch.tensor([0, 1, 2])) for i in range(3)]
eps = 0.1
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(torch.cat([item[0] for item in data]), torch.cat([item[1] for item in data])), batch_size=3)

for X, y in data:  # what is drawn around a batch is moved once, and trained with
    delta = torch.zeros_like(X)
    delta.requires_grad = True
    loss = F.cross_entropy(model(X + delta), y)
    loss.backward()
    grad = delta.grad.detach()
    delta.data = torch.clamp(delta + eps * torch.sign(grad), -eps, eps)
    delta = delta.detach()
    output = model(X + delta)
    loss = F.cross_entropy(output, y)
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(loss.item(), delta.sum().item())

correct = 0
for X, y in loader:
    X.requires_grad = True
    output = model(X)
    first = output.max(1, keepdim=True)[1]
    loss = F.nll_loss(F.log_softmax(output, dim=1), y)
    model.zero_grad()
    loss.backward()
    moved = torch.clamp(X + eps * X.grad.data.sign(), -1, 1)
    final = model(moved).max(1, keepdim=True)[1]
    correct += (first == final).sum().item()
    print(loss.item(), moved.sum().item())
print("kept", correct)

image = data[0][0][:1].clone().requires_grad_(True)
painter = torch.optim.Adam([image], lr=0.1)
for step in range(3):  # an image that is trained
    painter.zero_grad()
    loss = -model(image)[0, 1] + 0.01 * image.norm()
    loss.backward()
    painter.step()
    print(loss.item(), image.detach().sum().item())

for X, y in data[:2]:
    X = X.clone()
    X.requires_grad_()
    scores = model(X).gather(1, y.view(-1, 1)).squeeze()
    scores.backward(torch.ones_like(scores))
    print(X.grad.data.abs().max(dim=1)[0])
    noisy = X.detach() + 0.1
    for step in range(3):
        noisy = noisy.detach().requires_grad_(True)
        F.cross_entropy(model(noisy), y).backward()
        noisy = noisy + 0.05 * noisy.grad.sign()
        noisy = torch.max(torch.min(noisy, X + eps), X - eps)
    print(noisy.sum().item())
