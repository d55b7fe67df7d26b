# flagged: T2J301
"""An index that may have no axis gives a view, as a number does, and what is picked by it changes the whole."""

import torch


def picked(scores, rows):
    which = scores.max(dim=0)[1]
    row = rows[which]
    row[0] = 9
    return row


class Table:
    def __init__(self, rows):
        self.rows = rows

    def pick(self, scores):
        which = scores.argmax(0)
        row = self.rows[which]
        row[0] = 9
        return row


rows = torch.zeros(3, 2)
print(picked(torch.tensor([0.0, 2, 1]), rows).tolist(), rows.tolist())
print(Table(rows).pick(torch.tensor([0.0, 2, 1])).tolist(), rows.tolist())
