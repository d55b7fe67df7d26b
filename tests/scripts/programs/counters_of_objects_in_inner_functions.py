# also: nnx, linen
import torch


class Trainer:
    def __init__(self):
        self.lr = 0.1

    def train(self, loader):
        def run_epoch(split):
            for y in loader:
                self.tokens += (y >= 0).sum()
                if self.tokens < 5:
                    m = float(self.tokens) / 5
                else:
                    m = float(self.tokens - 5)
                print(split, m)

        self.tokens = 0
        for epoch in range(2):
            run_epoch('train')
        print(int(self.tokens))


Trainer().train([torch.tensor([1, -1, 2]), torch.tensor([1, 1, 2])])
