# also: linen
"""The gradient of an input, where the host looks at values on the way to the loss."""

import torch
import torch.nn as nn
import torch.nn.functional as F

model = nn.Sequential(nn.Flatten(), nn.Linear(16, 8), nn.ReLU(), nn.Linear(8, 3))
for i, p in enumerate(model.parameters()):
    p.data.copy_(torch.sin(torch.arange(p.numel()).float() + i).view(p.shape) * 0.5)
model.eval()
X = (torch.sin(torch.arange(96.0)).view(6, 1, 4, 4) + 1) / 2
Y = torch.arange(6) % 3


def attack(image, epsilon, gradient):
    return torch.clamp(image + epsilon * gradient.sign(), 0, 1)


def test(model, epsilon):
    correct = 0
    examples = []
    for data, target in zip(X.split(1), Y.split(1)):
        data = data.clone()
        data.requires_grad = True
        output = model(data)
        first = output.max(1, keepdim=True)[1]
        if first.item() != target.item():
            continue
        loss = F.cross_entropy(output, target)
        model.zero_grad()
        loss.backward()
        perturbed = attack(data, epsilon, data.grad.data)
        final = model(perturbed).max(1, keepdim=True)[1]
        if final.item() == target.item():
            correct += 1
        else:
            examples.append((first.item(), final.item(), round(perturbed.sum().item(), 4)))
    return correct, examples


print([test(model, epsilon) for epsilon in (0, 0.05, 0.3)])


def saliency(x, target):
    x = x.clone().requires_grad_()
    features = model[1](model[0](x))
    print("features", features.mean().item())
    hidden = torch.relu(features)
    logits = model[3](hidden)
    if logits.argmax().item() == target:
        return None
    score = logits[0, target] * 2
    print("score", score.item())
    (gradient,) = torch.autograd.grad(outputs=score, inputs=(x,))
    return gradient.abs().sum().item()


print([saliency(X[i : i + 1], 1) for i in range(4)])


def penalty(x):
    x = x.clone().requires_grad_()
    energy = model(x).pow(2).sum()
    print(energy.item())
    total = torch.log(energy)
    gradient = torch.autograd.grad(total, x, create_graph=True)[0]
    return gradient.pow(2).sum()


w = X[:2].clone().requires_grad_()
print(penalty(w).item())
