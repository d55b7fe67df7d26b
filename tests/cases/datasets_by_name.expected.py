"""Datasets of torchvision that a program asks for by a name: those that its texts mention, which all take the same arguments."""

import argparse

from torch2jax.runtime.data import DataLoader
from torch2jax.runtime.vision_datasets import CIFAR10, CIFAR100
from torch2jax.runtime.vision_transforms import ToTensor

parser = argparse.ArgumentParser()
parser.add_argument("--dataset", default="cifar10", help="dataset (cifar10 [default] or cifar100)")
parser.add_argument("--split", default="SVHN")


DATASETS = {"CIFAR10": CIFAR10, "CIFAR100": CIFAR100}


def main():
    args = parser.parse_args()
    assert args.dataset == "cifar10" or args.dataset == "cifar100"
    train = DataLoader(
        DATASETS[args.dataset.upper()]("data", train=True, download=True, transform=ToTensor()),
        batch_size=4,
    )
    for x, y in train:
        print(x.mean(), y.sum())
    # torch2jax: T2J200 `torchvision.datasets` has no translation yet
    other = getattr(datasets, args.split)("data", split="test")  # T2J200
    print(len(other))


if __name__ == "__main__":
    main()
