# also: nnx, linen
"""Gradients of inputs where what is differentiated is chosen by looking at the scores, at the top of the file and in functions."""
import torch
import torch.nn as nn


model = nn.Sequential(nn.Linear(4, 8), nn.Tanh(), nn.Linear(8, 3))
for i, p in enumerate(model.parameters()):
    nn.init.constant_(p, 0.1 * (i + 1))
model.eval()
img = torch.linspace(0, 1, 4).unsqueeze(0)
img.requires_grad = True
scores = model(img)
idx = scores.argmax(dim=1).item()
scores[0, idx].backward()
saliency = img.grad.abs().max(dim=1)[0]
print(idx, saliency.tolist())
for p in model.parameters():
    p.requires_grad = False
img2 = torch.linspace(1, 0, 4).unsqueeze(0)
img2.requires_grad_(True)
out = model(img2)
out.max().backward()
print(img2.grad.tolist())
def integrated(model, image, steps=3):
    total = torch.zeros_like(image)
    for k in range(1, steps + 1):
        x = (image * k / steps).detach().requires_grad_(True)
        out = model(x)
        index = int(out.max(1)[1])
        score = out[0][index]
        score.backward()
        total += x.grad
    return image * total / steps


print(integrated(model, torch.linspace(0, 1, 4).unsqueeze(0)).tolist())


def sums(model, image):
    grads = []
    total = 0
    for c in range(3):
        x = image.clone()
        x.requires_grad = True
        out = model(x)
        out[:, c].sum().backward()
        grads.append(x.grad)
        total = total + x.grad.norm().item()
    return torch.stack(grads).tolist(), total


print(sums(model, torch.linspace(0, 1, 4).unsqueeze(0)))
def saliency(model, image, target=None):
    image = image.clone().requires_grad_()
    hidden = model[1](model[0](image))
    scores = model[2](hidden)
    if target is None:
        target = scores.argmax(dim=1).item()
    print("class", target)
    scores[0, target].backward()
    return image.grad.abs()


print(saliency(model, torch.linspace(0, 1, 4).unsqueeze(0)).tolist())
print(saliency(model, torch.linspace(0, 1, 4).unsqueeze(0), 1).tolist())
