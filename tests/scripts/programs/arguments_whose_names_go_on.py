# also: nnx, linen
import torch


def clipped(boxes, size):
    # boxes may be one box
    if boxes.dim() == 1:
        boxes = boxes.unsqueeze(0)
    elif boxes.dim() == 3:
        boxes = boxes.view(-1, 4)
    # keep within
    boxes[:, 0].clamp_(min=0)
    boxes[:, 1] = boxes[:, 1].clamp(max=size)
    return boxes


def counted(output, target, k, ignore=255):
    output = output.view(-1)
    target = target.view(-1)
    output[target == ignore] = ignore
    same = output[output == target]
    return torch.histc(same.float(), bins=k, min=0, max=k - 1)


def scaled(x, y):
    x = x.t()
    x.mul_(3)
    y = y.reshape(-1)
    y[0] = 1
    return x + y.sum()


def early(x, flag):
    if flag:
        return x * 2
    x = x[1:]
    x += 1
    if x.numel() > 2:
        return x.sum()
    return x


one = torch.tensor([-1.0, 20.0, 3.0, 4.0])
print(clipped(one, 10).tolist(), one.tolist())
two = torch.tensor([[-1.0, 20.0, 3.0, 4.0]])
print(clipped(two, 10).tolist(), two.tolist())
three = torch.tensor([[[-1.0, 20.0, 3.0, 4.0]], [[-1.0, 2.0, 3.0, 4.0]]])
print(clipped(three, 10).tolist(), three.tolist())
out = torch.tensor([[1, 2], [0, 1]])
tar = torch.tensor([[1, 255], [0, 0]])
print(counted(out, tar, 3).tolist(), out.tolist(), tar.tolist())
a, b = torch.arange(4.0).view(2, 2), torch.zeros(2, 2)
print(scaled(a, b).tolist(), a.tolist(), b.tolist())
c = torch.arange(4.0)
print(early(c, False).tolist(), c.tolist())
print(early(c, True).tolist(), c.tolist())
d = torch.arange(3.0)
print(early(d, False).tolist(), d.tolist())
