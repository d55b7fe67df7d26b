"""Every argument of a loader, samplers, and settings that come in a dict."""

import argparse

import numpy as np
import torch
from torch.utils import data
from torch.utils.data import (
    ConcatDataset,
    DataLoader,
    Dataset,
    Sampler,
    Subset,
    TensorDataset,
    default_collate,
    random_split,
)


class Squares(Dataset):
    def __init__(self, count, transform=None):
        super().__init__()
        self.count, self.transform = count, transform

    def __len__(self):
        return self.count

    def __getitem__(self, index):
        x = torch.tensor([index, index * index], dtype=torch.float32)
        return (x if self.transform is None else self.transform(x)), index % 3


class Backwards(Sampler[int]):
    def __init__(self, data_source: Dataset):
        super().__init__()
        self.data_source = data_source

    def __iter__(self):
        return iter(range(len(self.data_source) - 1, -1, -1))

    def __len__(self):
        return len(self.data_source)


class Pairs(Sampler):
    def __iter__(self):
        yield from ([0, 5], [1, 4], [2, 3])

    def __len__(self):
        return 3


def pad(batch):
    rows = [x for x, _ in batch]
    labels = torch.tensor([label for _, label in batch])
    return torch.stack(rows).sum(dim=1), labels


def describe(loader: DataLoader):
    print(len(loader), len(loader.dataset), [(x.tolist(), y.tolist()) for x, y in loader])


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--batch-size", type=int, default=4)
    args = parser.parse_args([])
    squares = Squares(10)
    train_kwargs = {"batch_size": args.batch_size}
    test_kwargs = {"batch_size": 3, "drop_last": True}
    if torch.cuda.is_available() or args.batch_size:
        cuda_kwargs = {"num_workers": 0, "pin_memory": False, "shuffle": False}
        train_kwargs.update(cuda_kwargs)
        test_kwargs.update(cuda_kwargs)
    describe(DataLoader(squares, **train_kwargs))
    describe(DataLoader(squares, **test_kwargs))
    describe(DataLoader(dataset=squares, batch_size=5, sampler=Backwards(squares), num_workers=0, timeout=0))
    describe(DataLoader(squares, batch_sampler=Pairs(), pin_memory=torch.cuda.is_available()))
    describe(DataLoader(squares, 4, False, None, None, 0, pad))
    describe(DataLoader(Subset(squares, [7, 2, 2]), batch_size=2))
    both = ConcatDataset([squares, Subset(squares, range(3))])
    describe(DataLoader(both, batch_sampler=data.BatchSampler(data.SequentialSampler(both), 6, False)))
    for x, y in DataLoader(squares, batch_size=None):
        print(x.tolist(), y)
    images, labels = next(iter(DataLoader(squares, batch_size=2)))
    print(images.shape, float(images.mean()), labels.numel())

    rows = TensorDataset(torch.arange(6.0).view(3, 2), torch.tensor([1, 0, 1]))
    print(len(rows), rows.tensors[0].shape, rows[1][0].tolist(), int(rows[1][1]))
    for x, y in DataLoader(rows, batch_size=2):
        print((x @ torch.ones(2, 1)).squeeze(1).tolist(), (y == 1).sum().item())

    generator = torch.Generator().manual_seed(3)
    train, val = random_split(squares, [7, 3], generator=generator)
    seen = sorted(int(x[0]) for part in (train, val) for x, _ in part)
    print(len(train), len(val), seen)
    train, val = random_split(squares, [0.8, 0.2], generator=torch.Generator().manual_seed(42))
    print(len(train), len(val))
    for loader in (
        DataLoader(squares, batch_size=4, shuffle=True, generator=generator),
        DataLoader(squares, batch_size=4, sampler=data.RandomSampler(squares)),
        DataLoader(squares, batch_size=4, sampler=data.SubsetRandomSampler(range(10))),
    ):
        print(len(loader), sorted(int(value) for x, _ in loader for value in x[:, 0]))
    weighted = data.WeightedRandomSampler([0.0, 1.0, 0.0], 5)
    print(list(weighted))
    print(default_collate([{"a": 1.5, "b": ("x", np.ones(2))}, {"a": 2.5, "b": ("y", np.zeros(2))}])["b"][0])


if __name__ == "__main__":
    main()
