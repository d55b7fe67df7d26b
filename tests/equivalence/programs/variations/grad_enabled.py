# expect: equal or T2J500
"""One loop for training and validation, switched by set_grad_enabled."""

import torch
import torch.nn as nn
from torch.utils.data import DataLoader, TensorDataset


def main():
    torch.manual_seed(0)
    x = torch.randn(48, 5)
    y = (x[:, 0] > 0).long()
    dataloaders = {
        "train": DataLoader(TensorDataset(x[:32], y[:32]), batch_size=16, shuffle=True),
        "val": DataLoader(TensorDataset(x[32:], y[32:]), batch_size=16),
    }
    model = nn.Sequential(nn.Linear(5, 8), nn.ReLU(), nn.Linear(8, 2))
    criterion = nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
    for epoch in range(3):
        for phase in ["train", "val"]:
            if phase == "train":
                model.train()
            else:
                model.eval()
            running_loss = 0.0
            running_corrects = 0
            for inputs, labels in dataloaders[phase]:
                optimizer.zero_grad()
                with torch.set_grad_enabled(phase == "train"):
                    outputs = model(inputs)
                    _, preds = torch.max(outputs, 1)
                    loss = criterion(outputs, labels)
                    if phase == "train":
                        loss.backward()  # T2J500
                        optimizer.step()
                running_loss += loss.item() * inputs.size(0)
                running_corrects += torch.sum(preds == labels.data)
            size = len(dataloaders[phase].dataset)
            print(f"{phase} Loss: {running_loss / size:.4f} Acc: {running_corrects.double() / size:.4f}")


if __name__ == "__main__":
    main()
