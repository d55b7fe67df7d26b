# also: nnx, linen
import torch
from torch import nn, optim
from torch.optim import lr_scheduler

xs = torch.sin(torch.arange(32.0)).reshape(8, 4)
ys = (xs.sum(1) > 0).long()


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.body = nn.Linear(4, 5)
        self.fc = nn.Linear(5, 3)

    def forward(self, x):
        return self.fc(torch.relu(self.body(x)))


def fill(model):
    with torch.no_grad():
        for k, p in enumerate(model.parameters()):
            p.copy_(torch.sin(torch.arange(float(p.numel())) * (0.3 + k)).reshape(p.shape) * 0.3)


def fit(model, optimizer, scheduler, rounds):
    for _ in range(rounds):
        for phase in ("train", "val"):
            optimizer.zero_grad()
            with torch.set_grad_enabled(phase == "train"):
                loss = nn.functional.cross_entropy(model(xs), ys)
                if phase == "train":
                    loss.backward()
                    optimizer.step()
            print(phase, loss.item())
            if phase == "train":
                scheduler.step()
    return model


whole = Net()
whole.fc = nn.Linear(5, 2)
fill(whole)
optimizer = optim.SGD(whole.parameters(), lr=0.5, momentum=0.9)
scheduler = lr_scheduler.StepLR(optimizer, step_size=2, gamma=0.1)
whole = fit(whole, optimizer, scheduler, 4)

head = Net()
for param in head.parameters():
    param.requires_grad = False
head.fc = nn.Linear(5, 2)
fill(head)
head = head.to("cpu")
head_optimizer = optim.SGD(head.fc.parameters(), lr=0.5, momentum=0.9, weight_decay=0.1)
scheduler = lr_scheduler.StepLR(head_optimizer, step_size=2, gamma=0.1)
head = fit(head, head_optimizer, scheduler, 4)
print(head.body.weight.sum().item(), head.fc.weight.sum().item())
