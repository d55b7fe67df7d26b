# also: linen
"""Iterable datasets: workers each run through one of their own, unless they share the work."""

import math

import torch
from torch.utils.data import ChainDataset, DataLoader, IterableDataset, get_worker_info


class Counter(IterableDataset):
    def __init__(self, start, end):
        super().__init__()
        self.start, self.end = start, end

    def __iter__(self):
        for value in range(self.start, self.end):
            yield torch.tensor([float(value)])


class Shared(IterableDataset):
    def __init__(self, start, end):
        super(Shared).__init__()
        self.start, self.end = start, end

    def __iter__(self):
        info = get_worker_info()
        if info is None:
            return iter(range(self.start, self.end))
        share = int(math.ceil((self.end - self.start) / float(info.num_workers)))
        first = self.start + info.id * share
        return iter(range(first, min(first + share, self.end)))

    def __len__(self):
        return self.end - self.start


def share_out(worker_id):
    info = torch.utils.data.get_worker_info()
    dataset = info.dataset
    share = math.ceil((dataset.end - dataset.start) / info.num_workers)
    dataset.start, dataset.end = (
        dataset.start + worker_id * share,
        min(dataset.start + (worker_id + 1) * share, dataset.end),
    )


if __name__ == "__main__":
    print([batch.tolist() for batch in DataLoader(Counter(0, 5), batch_size=2)])
    print([batch.tolist() for batch in DataLoader(Counter(0, 5), batch_size=2, drop_last=True)])
    print([batch.tolist() for batch in DataLoader(Counter(0, 5), batch_size=2, num_workers=2)])
    print([batch.tolist() for batch in DataLoader(Shared(3, 10), num_workers=2, batch_size=2)])
    print([batch.tolist() for batch in DataLoader(Counter(3, 10), num_workers=3, worker_init_fn=share_out)])
    print(len(DataLoader(Shared(3, 10), batch_size=2)))
    print([batch.tolist() for batch in DataLoader(ChainDataset([Counter(0, 2), Counter(5, 7)]), batch_size=3)])
