"""Fields of plain objects that functions within their methods change, where other names stand for the same tensors."""

import torch


class Trainer:
    def __init__(self):
        self.seen = torch.zeros(2)
        self.other = self.seen  # T2J303

    def fit(self, loader):
        kept = self.seen

        def run_epoch():
            for y in loader:
                self.seen += y[:2]

        run_epoch()  # T2J303
        print(self.seen.tolist(), self.other.tolist(), kept.tolist())


Trainer().fit([torch.tensor([1, -1, 2])])
