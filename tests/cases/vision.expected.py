"""Pictures of torchvision: the calls stay, what stands behind them is Pillow and NumPy."""

import jax
import jax.numpy as jnp
from torch2jax.runtime.boxes import box_iou, nms
from torch2jax.runtime.data import DataLoader
from torch2jax.runtime.reductions import clamp, max_along
from torch2jax.runtime.vision_datasets import MNIST, ImageFolder
from torch2jax.runtime.vision_functional import InterpolationMode, hflip
from torch2jax.runtime.vision_transforms import (
    ColorJitter,
    Compose,
    Lambda,
    Normalize,
    RandomApply,
    Resize,
    ToDtype,
    ToImage,
    ToTensor,
)
from torch2jax.runtime.vision_utils import make_grid, save_image

KWARGS = {"num_workers": 2, "pin_memory": True, "persistent_workers": True}


class Flipped(ImageFolder):
    def __init__(self, root, transform=None):
        super().__init__(root, transform=transform)

    def __getitem__(self, index):
        image, target = super().__getitem__(index)
        return hflip(image), target


def loaders(root, size):
    transform = Compose(
        [
            Resize((size, size), interpolation=InterpolationMode.BICUBIC),
            RandomApply([ColorJitter(0.4, hue=0.1)], p=0.8),
            ToTensor(),
            Lambda(lambda x: clamp(x * 255, 0, 255)),  # bytes again
            Normalize(mean=[0.5], std=[0.5]),
        ]
    )
    plain = Compose([ToImage(), ToDtype(jnp.float32, scale=True)])
    train = DataLoader(MNIST(root, download=True, transform=transform), batch_size=4, shuffle=True, **KWARGS)
    return train, DataLoader(Flipped(root, plain), 4)


def show(train: DataLoader, test: DataLoader, device: jax.Device) -> None:
    for images, labels in train:
        images, labels = jax.device_put((images, labels), device)
        save_image(make_grid(images.reshape(-1, 1, 28, 28), nrow=2), "grid.png")
        print(images.mean().item(), jnp.unique(labels).size, len(train.dataset))
    digits = train.dataset.data.astype(jnp.float32) / 255
    print(digits.mean(axis=(1, 2))[:3], isinstance(test.dataset, ImageFolder))


def network():
    # torch2jax: T2J200 `torchvision.models.maxvit_t` has no translation yet: models of torchvision are torch modules: copy the source of the architecture beside the program, which translates it, and load the weights by name
    return models.maxvit_t(num_classes=10)  # T2J200


def more(root):
    # torch2jax: T2J200 `torchvision.datasets.Places365` has no translation yet: not among the datasets that have a translation: write a class with `__len__` and `__getitem__` that reads the files
    return datasets.Places365(root)  # T2J200


def kept(boxes: jax.Array, scores: jax.Array):
    chosen = nms(boxes, scores, 0.5)
    return boxes[chosen], max_along(box_iou(boxes, boxes), 1)[0], "PIL"
