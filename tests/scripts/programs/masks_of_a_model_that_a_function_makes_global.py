# also: nnx, linen
"""A model that `main` alone binds, by `global`, and whose parameters other functions mask and set back."""

import copy
import numpy as np
import torch
from torch import nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc1 = nn.Linear(3, 4)
        self.fc2 = nn.Linear(4, 2)

    def forward(self, x):
        return self.fc2(torch.relu(self.fc1(x)))


def weight_init(m):
    if isinstance(m, nn.Linear):
        nn.init.constant_(m.bias, 0.1)
        with torch.no_grad():
            m.weight.copy_(torch.cos(torch.arange(float(m.weight.numel()))).reshape(m.weight.shape))


def main(kind):
    global model
    if kind == "a":
        model = Net().to("cpu")
    else:
        exit()
    model.apply(weight_init)
    initial = copy.deepcopy(model.state_dict())
    make_mask(model)
    optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
    x = torch.sin(torch.arange(12.0)).reshape(4, 3)
    y = torch.tensor([0, 1, 1, 0])
    criterion = nn.CrossEntropyLoss()
    for it in range(3):
        if it != 0:
            prune(30)
            reinit(mask, initial)
            optimizer = torch.optim.Adam(model.parameters(), lr=0.1)
        print(nonzeros(model))
        for _ in range(2):
            print(train(model, x, y, optimizer, criterion))


def train(model, x, y, optimizer, criterion):
    model.train()
    optimizer.zero_grad()
    loss = criterion(model(x), y)
    loss.backward()
    for name, p in model.named_parameters():
        if "weight" in name:
            tensor = p.data.cpu().numpy()
            grad = p.grad.data.cpu().numpy()
            grad = np.where(tensor < 1e-6, 0, grad)
            p.grad.data = torch.from_numpy(grad)
    optimizer.step()
    return loss.item()


def prune(percent):
    global step
    global mask
    global model
    step = 0
    for name, param in model.named_parameters():
        if "weight" in name:
            tensor = param.data.cpu().numpy()
            alive = tensor[np.nonzero(tensor)]
            value = np.percentile(abs(alive), percent)
            device = param.device
            new_mask = np.where(abs(tensor) < value, 0, mask[step])
            param.data = torch.from_numpy(tensor * new_mask).to(device)
            mask[step] = new_mask
            step += 1
    step = 0


def make_mask(model):
    global step
    global mask
    step = 0
    for name, param in model.named_parameters():
        if "weight" in name:
            step = step + 1
    mask = [None] * step
    step = 0
    for name, param in model.named_parameters():
        if "weight" in name:
            tensor = param.data.cpu().numpy()
            mask[step] = np.ones_like(tensor)
            step = step + 1
    step = 0


def reinit(mask_temp, initial):
    global model
    step = 0
    for name, param in model.named_parameters():
        if "weight" in name:
            device = param.device
            param.data = torch.from_numpy(mask_temp[step] * initial[name].cpu().numpy()).to(device)
            step = step + 1
        if "bias" in name:
            param.data = initial[name].clone()
    step = 0


def nonzeros(model):
    return sum(np.count_nonzero(p.data.cpu().numpy()) for _, p in model.named_parameters())


if __name__ == "__main__":
    main("a")
