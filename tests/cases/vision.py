"""Pictures of torchvision: the calls stay, what stands behind them is Pillow and NumPy."""

import torch
import torchvision
import torchvision.transforms.functional as TF
from torch.utils.data import DataLoader
from torchvision import datasets, models, transforms
from torchvision.transforms import v2
from torchvision.utils import make_grid, save_image

KWARGS = {"num_workers": 2, "pin_memory": True, "persistent_workers": True}


class Flipped(datasets.ImageFolder):
    def __init__(self, root, transform=None):
        super().__init__(root, transform=transform)

    def __getitem__(self, index):
        image, target = super().__getitem__(index)
        return TF.hflip(image), target


def loaders(root, size):
    transform = transforms.Compose(
        [
            transforms.Resize((size, size), interpolation=transforms.InterpolationMode.BICUBIC),
            transforms.RandomApply([transforms.ColorJitter(0.4, hue=0.1)], p=0.8),
            transforms.ToTensor(),
            transforms.Lambda(lambda x: x.mul(255).clamp(0, 255)),  # bytes again
            transforms.Normalize(mean=[0.5], std=[0.5]),
        ]
    )
    plain = v2.Compose([v2.ToImage(), v2.ToDtype(torch.float32, scale=True)])
    train = DataLoader(torchvision.datasets.MNIST(root, download=True, transform=transform), batch_size=4, shuffle=True, **KWARGS)
    return train, DataLoader(Flipped(root, plain), 4)


def show(train: DataLoader, test: DataLoader, device: torch.device) -> None:
    for images, labels in train:
        images, labels = images.to(device), labels.to(device)
        save_image(make_grid(images.view(-1, 1, 28, 28).cpu(), nrow=2), "grid.png")
        print(images.mean().item(), labels.unique().numel(), len(train.dataset))
    digits = train.dataset.data.float() / 255
    print(digits.mean(dim=(1, 2))[:3], isinstance(test.dataset, datasets.ImageFolder))


def network():
    return models.maxvit_t(num_classes=10)  # T2J200


def more(root):
    return datasets.Places365(root)  # T2J200


def kept(boxes: torch.Tensor, scores: torch.Tensor):
    chosen = torchvision.ops.nms(boxes, scores, 0.5)
    return boxes[chosen], torchvision.ops.box_iou(boxes, boxes).max(dim=1)[0], torchvision.get_image_backend()
