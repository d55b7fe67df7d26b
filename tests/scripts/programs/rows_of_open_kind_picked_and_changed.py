"""Rows of what is not known to be tensors, in a file with NumPy, are picked by masks, changed and kept: boxes of detectors."""

# also: nnx, linen

import numpy as np
import torch


def corners(x):
    y = x.new(x.shape)
    y[..., 0] = x[..., 0] - x[..., 2] / 2
    y[..., 1] = x[..., 1] - x[..., 3] / 2
    y[..., 2] = x[..., 0] + x[..., 2] / 2
    y[..., 3] = x[..., 1] + x[..., 3] / 2
    return y


def suppressed(prediction, threshold=0.25, classes=None, most=3):
    count = prediction.shape[2] - 5
    several = count > 1
    output = [torch.zeros((0, 6), device="cpu")] * prediction.shape[0]
    for number, x in enumerate(prediction):
        x = x[x[..., 4] > threshold]
        if not x.shape[0]:
            continue
        x[:, 5:] *= x[:, 4:5]
        box = corners(x[:, :4])
        if several and number == 0:
            i, j = (x[:, 5:] > threshold).nonzero(as_tuple=False).T
            x = torch.cat((box[i], x[i, j + 5, None], j[:, None].float()), 1)
        else:
            best, j = x[:, 5:].max(1, keepdim=True)
            x = torch.cat((box, best, j.float()), 1)[best.view(-1) > threshold]
        if classes is not None:
            x = x[(x[:, 5:6] == torch.tensor(classes, device=x.device)).any(1)]
        n = x.shape[0]
        if not n:
            continue
        elif n > most:
            x = x[x[:, 4].argsort(descending=True)[:most]]
        output[number] = x
    return output


def kept_rows(rows, threshold):
    found = [None] * rows.shape[0]
    for number, x in enumerate(rows):
        x = x[x[..., 0] > threshold]
        x[:, 1:] += x[:, :1]
        found[number] = x
    return found


def centered(x):
    y = x.clone() if isinstance(x, torch.Tensor) else np.copy(x)
    y[:, 0] = x[:, 0] - x[:, 1] / 2
    return y


def plotted(targets, scale):
    found = []
    for number in range(2):
        own = targets[targets[:, 0] == number]
        boxes = centered(own[:, 2:5]).T
        classes = own[:, 1].astype("int")
        sure = None if own.shape[1] == 5 else own[:, 5]
        if boxes.shape[1]:
            if boxes.max() <= 0.5:
                boxes[[0, 2]] *= 10
            elif scale < 1:
                boxes *= scale
        boxes[[0, 2]] += number
        found.append((boxes.T.tolist(), classes.tolist(), None if sure is None else sure.tolist()))
    return found


rng = np.random.default_rng(0)
given = torch.tensor(rng.random((3, 4, 8)).astype(np.float32))
before = given.sum().item()
for item in suppressed(given) + suppressed(given, classes=[0, 2]) + suppressed(given, 0.99):
    print([[round(value, 4) for value in row] for row in item.tolist()])
for item in kept_rows(given, 0.5):
    print(round(item.sum().item(), 4))
print(before == given.sum().item())
table = np.array([[0, 3, 1, 2, 3, 0.5], [1, 4, 5, 6, 7, 0.25], [0, 5, 0.5, 0.25, 0.125, 1]])
print(plotted(table, 0.5), table.sum().item())
