# also: nnx, linen
import torch


def merged_boxes(pred, limit):
    kept = []
    while pred.size(0):
        near = (pred[:, 0] - pred[0, 0]).abs() <= limit
        weights = pred[near, 3:4]
        pred[0, :3] = (weights * pred[near, :3]).sum(0) / weights.sum()
        kept += [pred[0]]
        pred = pred[~near]
    return torch.stack(kept) if kept else None


def peeled(values):
    layers = []
    while values.numel() > 1:
        values[0] = values[0] * 2 + values[-1]
        layers.append(values)
        values = values[1:] + values[:-1]
    return layers


def snapshots(state, rounds):
    seen = {}
    for number in range(rounds):
        state[number % 3] += 10.0 * number
        state.mul_(1.5)
        seen[number] = state
        state = state.flip(0) + number
    return seen


boxes = torch.tensor(
    [[0.0, 1.0, 2.0, 0.9], [0.4, 2.0, 2.5, 0.5], [3.0, 1.0, 0.5, 0.7], [3.2, 4.0, 1.0, 0.6], [9.0, 0.0, 1.0, 0.4]]
)
detections = [boxes.clone(), boxes[:0], boxes.clone() * 2]
output = [None for _ in detections]
for index, found in enumerate(detections):
    found = found[found[:, 3] > 0.45]
    if not found.size(0):
        continue
    found = found[(-found[:, 3]).argsort()]
    output[index] = merged_boxes(found, 1.0)
print([None if item is None else item.tolist() for item in output])
print([layer.tolist() for layer in peeled(torch.tensor([1.0, 2.0, 3.0, 4.0]))])
print({number: state.tolist() for number, state in snapshots(torch.tensor([1.0, 2.0, 3.0]), 4).items()})

pred = boxes.clone()
kept = []
while pred.size(0):
    pred[0, 1] = len(kept) + 0.25
    kept.append(pred[0, :2])
    pred = pred[pred[:, 0] > pred[0, 0] + 1.0]
print(torch.stack(kept).tolist(), boxes.sum().item())
