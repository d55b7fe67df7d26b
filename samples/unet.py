"""Segment discs in noisy images with a small U-Net."""

import torch
import torch.nn as nn
import torch.nn.functional as F
from torch.utils.data import DataLoader, TensorDataset


class DoubleConv(nn.Module):
    """(convolution => group norm => ReLU) * 2"""

    def __init__(self, in_channels, out_channels):
        super().__init__()
        self.double_conv = nn.Sequential(
            nn.Conv2d(in_channels, out_channels, kernel_size=3, padding=1),
            nn.GroupNorm(4, out_channels),
            nn.ReLU(),
            nn.Conv2d(out_channels, out_channels, kernel_size=3, padding=1),
            nn.GroupNorm(4, out_channels),
            nn.ReLU(),
        )

    def forward(self, x):
        return self.double_conv(x)


class Down(nn.Module):
    """Downscaling with max pooling, then double convolution"""

    def __init__(self, in_channels, out_channels):
        super().__init__()
        self.maxpool_conv = nn.Sequential(nn.MaxPool2d(2), DoubleConv(in_channels, out_channels))

    def forward(self, x):
        return self.maxpool_conv(x)


class Up(nn.Module):
    """Upscaling, then double convolution"""

    def __init__(self, in_channels, out_channels, bilinear=False):
        super().__init__()
        if bilinear:
            self.up = nn.Sequential(
                nn.Upsample(scale_factor=2, mode="bilinear", align_corners=True),
                nn.Conv2d(in_channels, in_channels // 2, kernel_size=1),
            )
        else:
            self.up = nn.ConvTranspose2d(in_channels, in_channels // 2, kernel_size=2, stride=2)
        self.conv = DoubleConv(in_channels, out_channels)

    def forward(self, x1, x2):
        x1 = self.up(x1)
        # the input may have odd sizes: pad to the size of the skip connection
        diff_y = x2.size()[2] - x1.size()[2]
        diff_x = x2.size()[3] - x1.size()[3]
        x1 = F.pad(x1, [diff_x // 2, diff_x - diff_x // 2, diff_y // 2, diff_y - diff_y // 2])
        x = torch.cat([x2, x1], dim=1)
        return self.conv(x)


class UNet(nn.Module):
    def __init__(self, n_channels, n_classes, width=8, bilinear=False):
        super().__init__()
        self.inc = DoubleConv(n_channels, width)
        self.down1 = Down(width, 2 * width)
        self.down2 = Down(2 * width, 4 * width)
        self.up1 = Up(4 * width, 2 * width, bilinear)
        self.up2 = Up(2 * width, width, bilinear)
        self.outc = nn.Conv2d(width, n_classes, kernel_size=1)

    def forward(self, x):
        x1 = self.inc(x)
        x2 = self.down1(x1)
        x3 = self.down2(x2)
        x = self.up1(x3, x2)
        x = self.up2(x, x1)
        return self.outc(x)


def make_discs(n, size=18):
    """Noisy images of one disc each, and the masks of the discs."""
    centers = size * (0.25 + 0.5 * torch.rand(n, 2))
    radii = size * (0.1 + 0.15 * torch.rand(n))
    ys, xs = torch.meshgrid(torch.arange(size), torch.arange(size), indexing="ij")
    distance = torch.sqrt((ys - centers[:, 0, None, None]) ** 2 + (xs - centers[:, 1, None, None]) ** 2)
    masks = (distance < radii[:, None, None]).float().unsqueeze(1)
    images = masks + 0.5 * torch.randn(n, 1, size, size)
    return images, masks


def dice_score(logits, masks, eps=1e-6):
    """Overlap of the predicted and the true masks, averaged over images."""
    predicted = (torch.sigmoid(logits) > 0.5).float()
    intersection = (predicted * masks).sum(dim=(1, 2, 3))
    total = predicted.sum(dim=(1, 2, 3)) + masks.sum(dim=(1, 2, 3))
    return ((2 * intersection + eps) / (total + eps)).mean()


def main():
    torch.manual_seed(11)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    train_loader = DataLoader(TensorDataset(*make_discs(96)), batch_size=16, shuffle=True)
    val_images, val_masks = make_discs(16)

    net = UNet(n_channels=1, n_classes=1).to(device)
    optimizer = torch.optim.RMSprop(net.parameters(), lr=1e-3, weight_decay=1e-6, momentum=0.5)
    criterion = nn.BCEWithLogitsLoss()
    losses = []
    for epoch in range(3):
        net.train()
        epoch_loss = 0.0
        for images, masks in train_loader:
            images = images.to(device)
            masks = masks.to(device)

            logits = net(images)
            loss = criterion(logits, masks)

            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(net.parameters(), max_norm=1.0)
            optimizer.step()

            losses.append(loss.item())
            epoch_loss += loss.item() * images.size(0)

        net.eval()
        with torch.no_grad():
            score = dice_score(net(val_images.to(device)), val_masks.to(device))
        print(f"epoch {epoch + 1}: loss {epoch_loss / 96:.4f}, dice {score.item():.3f}")
    return losses


if __name__ == "__main__":
    main()
