# also: nnx, linen
"""Adversarial training with an object that keeps the model which is trained beside it, in functions that use both."""

import torch
import torch.nn as nn
import torch.nn.functional as F
import torch.optim as optim

class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(6, 8)
        self.fc2 = nn.Linear(8, 3)
    def forward(self, x):
        return self.fc2(F.relu(self.fc1(x)))

class LinfPGDAttack(object):
    def __init__(self, model, epsilon=0.1, k=2, alpha=0.05):
        self.model = model
        self.epsilon, self.k, self.alpha = epsilon, k, alpha
    def perturb(self, x_natural, y):
        x = x_natural.detach()
        for i in range(self.k):
            x.requires_grad_()
            with torch.enable_grad():
                logits = self.model(x)
                loss = F.cross_entropy(logits, y)
            grad = torch.autograd.grad(loss, [x])[0]
            x = x.detach() + self.alpha * torch.sign(grad.detach())
            x = torch.min(torch.max(x, x_natural - self.epsilon), x_natural + self.epsilon)
            x = torch.clamp(x, 0, 1)
        return x

net = Net()
with torch.no_grad():
    for i, p in enumerate(net.parameters()):
        p.copy_(torch.sin(torch.arange(p.numel()).float() + i).view(p.shape) * 0.5)
x = torch.sin(torch.arange(24.0)).view(4, 6).abs()
y = torch.tensor([0, 1, 2, 1])
loader = torch.utils.data.DataLoader(torch.utils.data.TensorDataset(x, y), batch_size=2)
adversary = LinfPGDAttack(net)
criterion = nn.CrossEntropyLoss()
optimizer = optim.SGD(net.parameters(), lr=0.1, momentum=0.9, weight_decay=0.0002)

def train(epoch):
    net.train()
    train_loss = 0
    for batch_idx, (inputs, targets) in enumerate(loader):
        optimizer.zero_grad()
        adv = adversary.perturb(inputs, targets)
        adv_outputs = net(adv)
        loss = criterion(adv_outputs, targets)
        loss.backward()
        optimizer.step()
        train_loss += loss.item()
    print(epoch, train_loss)

def test(epoch):
    net.eval()
    benign_loss = 0
    adv_loss = 0
    with torch.no_grad():
        for batch_idx, (inputs, targets) in enumerate(loader):
            outputs = net(inputs)
            benign_loss += criterion(outputs, targets).item()
            adv = adversary.perturb(inputs, targets)
            adv_outputs = net(adv)
            adv_loss += criterion(adv_outputs, targets).item()
    print(epoch, benign_loss, adv_loss)

for epoch in range(2):
    train(epoch)
    test(epoch)
print([p.sum().item() for p in net.parameters()])
