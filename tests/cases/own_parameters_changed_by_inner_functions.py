import torch.nn as nn


class Net(nn.Module):
    def __init__(self):
        super().__init__()
        self.fc = nn.Linear(3, 3)

    def shrink(self):
        def halve():
            for name, q in self.named_parameters():  # T2J601
                q.data.mul_(0.5)

        halve()
