# flagged: T2J301
import torch

pred = torch.arange(24.0).view(6, 4)
kept = []
while pred.size(0) > 1:
    pred[0, :2] = pred[:, :2].sum(0)
    kept.append(pred[1])
    if pred[0, 0] > 20:
        pred = pred[pred[:, 0] > 12]
    else:
        pred = pred[1:]
print(torch.stack(kept).tolist())
