"""A small ResNet for 16x16 images, trained by a Trainer class."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


def conv3x3(in_planes, out_planes, stride=1):
    """3x3 convolution with padding"""
    return nn.Conv2d(in_planes, out_planes, kernel_size=3, stride=stride, padding=1, bias=False)


class BasicBlock(nn.Module):
    expansion = 1

    def __init__(self, in_planes, planes, stride=1, downsample=None):
        super().__init__()
        self.conv1 = conv3x3(in_planes, planes, stride)
        self.bn1 = nn.BatchNorm2d(planes)
        self.relu = nn.ReLU(inplace=True)
        self.conv2 = conv3x3(planes, planes)
        self.bn2 = nn.BatchNorm2d(planes)
        self.downsample = downsample

    def forward(self, x):
        identity = x

        out = self.conv1(x)
        out = self.bn1(out)
        out = self.relu(out)

        out = self.conv2(out)
        out = self.bn2(out)

        if self.downsample is not None:
            identity = self.downsample(x)

        out += identity
        out = self.relu(out)
        return out


class ResNet(nn.Module):
    def __init__(self, block, layers, num_classes=10, width=8):
        super().__init__()
        self.in_planes = width
        self.conv1 = nn.Conv2d(3, width, kernel_size=3, stride=1, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(width)
        self.relu = nn.ReLU(inplace=True)
        self.layer1 = self._make_layer(block, width, layers[0])
        self.layer2 = self._make_layer(block, 2 * width, layers[1], stride=2)
        self.layer3 = self._make_layer(block, 4 * width, layers[2], stride=2)
        self.avgpool = nn.AdaptiveAvgPool2d((1, 1))
        self.fc = nn.Linear(4 * width * block.expansion, num_classes)

        for m in self.modules():
            if isinstance(m, nn.Conv2d):
                nn.init.kaiming_normal_(m.weight, mode="fan_out", nonlinearity="relu")
            elif isinstance(m, nn.BatchNorm2d):
                nn.init.constant_(m.weight, 1)
                nn.init.constant_(m.bias, 0)

    def _make_layer(self, block, planes, blocks, stride=1):
        downsample = None
        if stride != 1 or self.in_planes != planes * block.expansion:
            downsample = nn.Sequential(
                nn.Conv2d(self.in_planes, planes * block.expansion, kernel_size=1, stride=stride, bias=False),
                nn.BatchNorm2d(planes * block.expansion),
            )

        layers = []
        layers.append(block(self.in_planes, planes, stride, downsample))
        self.in_planes = planes * block.expansion
        for _ in range(1, blocks):
            layers.append(block(self.in_planes, planes))
        return nn.Sequential(*layers)

    def forward(self, x):
        x = self.relu(self.bn1(self.conv1(x)))
        x = self.layer1(x)
        x = self.layer2(x)
        x = self.layer3(x)
        x = self.avgpool(x)
        x = torch.flatten(x, 1)
        return self.fc(x)


def resnet8(num_classes):
    return ResNet(BasicBlock, [1, 1, 1], num_classes=num_classes)


class Trainer:
    """Owns the model, its optimizer and the data."""

    def __init__(self, model, train_loader, val_loader, lr=0.02, device="cpu"):
        self.model = model.to(device)
        self.train_loader = train_loader
        self.val_loader = val_loader
        self.device = device
        self.optimizer = torch.optim.SGD(model.parameters(), lr=lr, momentum=0.9, nesterov=True, weight_decay=1e-4)
        self.losses = []

    def train_step(self, images, labels):
        self.optimizer.zero_grad()
        loss = F.cross_entropy(self.model(images), labels)
        loss.backward()
        self.optimizer.step()
        return loss.item()

    def fit(self, epochs):
        for epoch in range(epochs):
            self.model.train()
            for images, labels in self.train_loader:
                images, labels = images.to(self.device), labels.to(self.device)
                self.losses.append(self.train_step(images, labels))
            print(f"epoch {epoch}: loss {self.losses[-1]:.4f}, val accuracy {self.validate():.3f}")

    @torch.no_grad()
    def validate(self):
        self.model.eval()
        correct = 0
        for images, labels in self.val_loader:
            logits = self.model(images.to(self.device))
            correct += (logits.argmax(1) == labels.to(self.device)).float().sum().item()
        return correct / len(self.val_loader.dataset)


def make_images(n, num_classes=4, size=16):
    """Noise with a bright square in one of four quadrants; the quadrant is the label."""
    labels = torch.arange(n) % num_classes
    images = 0.5 * torch.randn(n, 3, size, size)
    half = size // 2
    for i in range(n):
        top, left = divmod(int(labels[i]), 2)
        images[i, :, top * half + 2 : top * half + 6, left * half + 2 : left * half + 6] += 1.5
    return images, labels


def main():
    torch.manual_seed(3)
    train_loader = DataLoader(TensorDataset(*make_images(128)), batch_size=16, shuffle=True)
    val_loader = DataLoader(TensorDataset(*make_images(32)), batch_size=16)
    model = resnet8(num_classes=4)
    print("parameters:", sum(p.numel() for p in model.parameters()))
    trainer = Trainer(model, train_loader, val_loader)
    trainer.fit(epochs=3)
    return trainer.losses


if __name__ == "__main__":
    main()
