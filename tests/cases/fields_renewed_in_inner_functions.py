"""Fields that functions within a method give other tensors, between a view of the old one and a change."""

import torch


class Box:
    def __init__(self):
        self.seen = torch.zeros(2)

    def fit(self):
        def renew():
            self.seen = torch.ones(2)

        row = self.seen[0:1]
        renew()
        self.seen += 5  # T2J303
        print(row.tolist(), self.seen.tolist())

    def inner(self):
        def renew():
            self.seen = torch.ones(2)

        def run():
            row = self.seen[0:1]
            renew()
            self.seen += 5  # T2J303
            print(row.tolist(), self.seen.tolist())

        run()


Box().fit()
Box().inner()
