"""Datasets of torchvision that a program asks for by a name: those that its texts mention, which all take the same arguments."""

import argparse

import torch
import torchvision.datasets as datasets
import torchvision.transforms as transforms

parser = argparse.ArgumentParser()
parser.add_argument("--dataset", default="cifar10", help="dataset (cifar10 [default] or cifar100)")
parser.add_argument("--split", default="SVHN")


def main():
    args = parser.parse_args()
    assert args.dataset == "cifar10" or args.dataset == "cifar100"
    train = torch.utils.data.DataLoader(
        datasets.__dict__[args.dataset.upper()]("data", train=True, download=True, transform=transforms.ToTensor()),
        batch_size=4,
    )
    for x, y in train:
        print(x.mean(), y.sum())
    other = getattr(datasets, args.split)("data", split="test")  # T2J200
    print(len(other))


if __name__ == "__main__":
    main()
