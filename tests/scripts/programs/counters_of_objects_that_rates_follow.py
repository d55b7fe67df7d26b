# also: nnx, linen
import torch


class Trainer:
    def __init__(self):
        self.groups = [{'lr': 0.0}]
        self.base = 0.5

    def fit(self, loader):
        def run_epoch(split):
            for y in loader:
                self.tokens += (y >= 0).sum()
                if self.tokens < 5:
                    m = float(self.tokens) / 5
                else:
                    m = float(self.tokens - 5)
                lr = self.base * m
                for group in self.groups:
                    group['lr'] = lr
                print(split, lr)

        self.tokens = 0
        for epoch in range(2):
            run_epoch('train')
        print(int(self.tokens))


Trainer().fit([torch.tensor([1, -1, 2]), torch.tensor([1, 1, 2])])
