from itertools import combinations

import numpy as np
import torch


def get_pairs(labels):
    labels = labels.cpu().data.numpy()
    pairs = torch.LongTensor(np.array(list(combinations(range(len(labels)), 2))))
    positive = pairs[(labels[pairs[:, 0]] == labels[pairs[:, 1]]).nonzero()]
    negative = pairs[(labels[pairs[:, 0]] != labels[pairs[:, 1]]).nonzero()]
    return positive, negative
