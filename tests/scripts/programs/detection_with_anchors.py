import torch
import torch.nn as nn
import torch.nn.functional as F


def box_iou(a, b):
    area_a = (a[:, 2] - a[:, 0]) * (a[:, 3] - a[:, 1])
    area_b = (b[:, 2] - b[:, 0]) * (b[:, 3] - b[:, 1])
    lt = torch.max(a[:, None, :2], b[None, :, :2])
    rb = torch.min(a[:, None, 2:], b[None, :, 2:])
    wh = (rb - lt).clamp(min=0)
    inter = wh[..., 0] * wh[..., 1]
    return inter / (area_a[:, None] + area_b[None, :] - inter)


def nms(boxes, scores, threshold):
    order = scores.argsort(descending=True)
    keep = []
    while order.numel() > 0:
        i = order[0].item()
        keep.append(i)
        if order.numel() == 1:
            break
        iou = box_iou(boxes[i].unsqueeze(0), boxes[order[1:]])[0]
        order = order[1:][iou <= threshold]
    return torch.tensor(keep)


def assign(anchors, gt, labels, pos=0.5, neg=0.3):
    iou = box_iou(anchors, gt)
    best, idx = iou.max(dim=1)
    target = torch.full((len(anchors),), -1, dtype=torch.long)
    target[best < neg] = 0
    positive = best >= pos
    target[positive] = labels[idx[positive]]
    best_anchor = iou.argmax(dim=0)
    for j in range(gt.size(0)):
        target[best_anchor[j]] = labels[j]
    return target, gt[idx]


class Head(nn.Module):
    def __init__(self, c, k):
        super().__init__()
        self.cls = nn.Linear(c, k)
        self.reg = nn.Linear(c, 4)

    def forward(self, f):
        return self.cls(f), self.reg(f)


grid = torch.stack(torch.meshgrid(torch.arange(3.0), torch.arange(3.0), indexing="ij"), dim=-1).reshape(-1, 2)
anchors = torch.cat([grid, grid + 1.5], dim=1)
gt = torch.tensor([[0.1, 0.2, 1.4, 1.6], [1.8, 1.7, 3.3, 3.6]])
labels = torch.tensor([1, 2])
head = Head(5, 3)
for i, p in enumerate(head.parameters()):
    p.data = torch.sin(torch.arange(p.numel()).float() * 0.7 + i).view(p.shape) * 0.3
feats = torch.cos(torch.arange(45.0)).view(9, 5)
opt = torch.optim.SGD(head.parameters(), lr=0.1)
for step in range(5):
    cls, reg = head(feats)
    target, boxes = assign(anchors, gt, labels)
    valid = target >= 0
    pos = target > 0
    loss_cls = F.cross_entropy(cls[valid], target[valid])
    loss_reg = F.smooth_l1_loss(reg[pos], (boxes - anchors)[pos], reduction="sum") / max(pos.sum().item(), 1)
    loss = loss_cls + loss_reg
    opt.zero_grad()
    loss.backward()
    opt.step()
    print(step, loss_cls.item(), loss_reg.item(), int(pos.sum()), int(valid.sum()))
with torch.no_grad():
    cls, reg = head(feats)
    scores, ids = cls.softmax(1)[:, 1:].max(1)
    keep = nms(anchors + reg, scores, 0.2)
    print(keep.tolist(), ids[keep].tolist())
