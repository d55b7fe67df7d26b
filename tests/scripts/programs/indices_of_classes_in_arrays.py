# also: nnx, linen
"""An array that becomes a tensor in the place of itself, of which elements are changed: torch has copied its numbers."""

import numpy as np
import torch


class Episodes:
    def __init__(self, labels):
        self.classes, self.counts = np.unique(labels, return_counts=True)
        self.classes = torch.LongTensor(self.classes)
        self.indexes = np.empty((len(self.classes), max(self.counts)), dtype=int) * np.nan
        self.indexes = torch.Tensor(self.indexes)
        for idx, label in enumerate(labels):
            label_idx = np.argwhere(self.classes == label).item()
            self.indexes[label_idx, np.where(np.isnan(self.indexes[label_idx]))[0][0]] = idx


print(Episodes([0, 1, 1, 0, 2]).indexes)
