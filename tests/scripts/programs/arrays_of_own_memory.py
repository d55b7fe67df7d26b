# Arrays and tensors with one memory that are changed where nobody looks at the other: behind a copy, a cast to another type, in the next round of a loop.
# also: nnx, linen
import numpy as np
import torch


def scaled(picture):
    picture = torch.from_numpy(picture.astype(np.float32))
    picture /= 255
    return picture


def centred(picture):
    picture = torch.from_numpy(np.array(picture)).permute(1, 0)
    picture.sub_(1)
    return picture


def counted(t):
    counts = t.clone().numpy()
    counts[counts > 2] = 0
    return counts


def both(a):
    t = torch.from_numpy(a)
    t += 1
    return t


def halves(sample):
    picture, label = sample["picture"], sample["label"]
    picture = torch.from_numpy(picture)
    picture *= 0.5
    return picture.tolist(), label.tolist()


a = np.arange(6, dtype=np.float32).reshape(2, 3)
print(scaled(a).tolist(), a.sum())
print(centred(a).tolist(), a.sum())
t = torch.arange(4)
print(counted(t).tolist(), t.tolist())
print(both(np.ones(3)).tolist())
print(halves({"picture": np.ones(2), "label": np.arange(3)}))
for i in range(3):
    buffer = np.full(2, i, dtype=np.float32)
    x = torch.from_numpy(buffer)
    x += 1
    print(x.tolist())
dets = torch.arange(8.0).view(2, 4)
boxes = dets[:, 1:]
boxes[:, 0] *= 3
scores = dets[:, 0].numpy()
print(np.hstack((boxes.numpy(), scores[:, None])).tolist(), dets.tolist())
xs, ys = [np.ones(2, dtype=np.float32)], [np.zeros(2, dtype=np.float32)]
for i, (one, other) in enumerate(zip(xs, ys)):
    one = torch.from_numpy(one.copy())
    one -= 4
    print(one.tolist(), other.tolist())


class Pictures(torch.utils.data.Dataset):
    def __init__(self):
        self.pictures = np.arange(8).reshape(2, 4).astype(np.uint8)

    def __len__(self):
        return 2

    def __getitem__(self, i):
        picture = torch.from_numpy(self.pictures[i]).float()
        picture /= 255
        return picture


pictures = Pictures()
for epoch in range(2):
    print([picture.sum().item() for picture in pictures], pictures.pictures.sum())


def listed(points):
    points = torch.FloatTensor(points)
    points -= points.mean()
    return points


points = [[1.0, 2.0], [3.0, 4.0]]
print(listed(points).tolist(), points)
pose = np.eye(3, dtype=np.float64)
t = torch.FloatTensor(pose.astype(np.float32))
t[0] = 5
print(t.sum().item(), pose.sum())
labels = np.arange(3)
long = torch.LongTensor(labels.tolist())
long += 1
print(long.tolist(), labels.tolist())
