import torch


class Notes:
    def __init__(self):
        self.sums, self.means, self.ends = [], torch.zeros(2), {}

    def take(self, x):
        self.sums.append(x.sum().item())
        self.means = x.mean(0) * 2
        self.ends["last"] = (x[-1] + 1).tolist()
