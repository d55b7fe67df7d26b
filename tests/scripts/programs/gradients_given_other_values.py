# also: nnx, linen
import numpy as np
import torch
import torch.nn as nn


def filled(model):
    rng = np.random.RandomState(0)
    for p in model.parameters():
        p.data = torch.from_numpy(rng.randn(*p.shape).astype(np.float32) * 0.3)
    return model


rng = np.random.RandomState(1)
x = torch.from_numpy(rng.randn(8, 4).astype(np.float32))
y = torch.from_numpy(rng.randint(0, 3, 8))
criterion = nn.CrossEntropyLoss()


# pruned weights stay where they are
def train_pruned(model, optimizer, eps=0.1):
    model.train()
    optimizer.zero_grad()
    loss = criterion(model(x), y)
    loss.backward()
    for name, p in model.named_parameters():
        if "weight" in name:
            tensor = p.data.cpu().numpy()
            grad_tensor = p.grad.data.cpu().numpy()
            grad_tensor = np.where(np.abs(tensor) < eps, 0, grad_tensor)
            p.grad.data = torch.from_numpy(grad_tensor).to(p.device)
    optimizer.step()
    return loss.item()


model = filled(nn.Sequential(nn.Linear(4, 5), nn.Tanh(), nn.Linear(5, 3)))
optimizer = torch.optim.Adam(model.parameters(), lr=0.02, weight_decay=1e-4)
print([round(train_pruned(model, optimizer), 5) for _ in range(3)])

# masks beside, decay by hand, rows that are kept, in a loop of the file
net = filled(nn.Sequential(nn.Embedding(6, 4), nn.Linear(4, 2)))
masks = [(p.data.abs() > 0.05).float() for p in net.parameters()]
opt = torch.optim.SGD(net.parameters(), lr=0.1, momentum=0.9)
ids = torch.tensor([[0, 2], [3, 5]])
for step in range(3):
    opt.zero_grad()
    loss = net(ids).pow(2).mean()
    loss.backward()
    for p, mask in zip(net.parameters(), masks):
        if p.grad is None:
            continue
        p.grad.data.mul_(mask)
    for p in net.parameters():
        p.grad.data.add_(p.data, alpha=0.01)
    for n, p in net.named_parameters():
        if n == "0.weight":
            p.grad[:2] = 0
        elif n.endswith("bias"):
            p.grad *= 2.0 * (p > 0).float()
    opt.step()
    print(round(loss.item(), 5))
print([round(p.sum().item(), 5) for p in net.parameters()])


# clipped one by one, in a method, and counted
class Trainer:
    def __init__(self, model, limit):
        self.model = model
        self.limit = limit
        self.optimizer = torch.optim.Adam(self.model.parameters(), lr=0.05)

    def fit(self, rounds):
        clipped = 0
        for _ in range(rounds):
            loss = criterion(self.model(x), y)
            self.optimizer.zero_grad()
            loss.backward()
            for p in self.model.parameters():
                if p.grad is not None:
                    norm = p.grad.data.norm(2)
                    if norm.item() > self.limit:
                        p.grad.data = p.grad.data * self.limit / norm
                        clipped += 1
            self.optimizer.step()
        return loss.item(), clipped


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.trunk = nn.Linear(4, 6)
        self.head = nn.Linear(6, 3)
        for p in self.trunk.parameters():
            p.requires_grad = False

    def forward(self, x):
        return self.head(torch.relu(self.trunk(x)))


trainer = Trainer(filled(Net()), 0.05)
last, clipped = trainer.fit(4)
print(round(last, 5), clipped, [round(p.sum().item(), 5) for p in trainer.model.parameters()])
