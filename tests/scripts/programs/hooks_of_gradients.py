# also: nnx
"""Hooks that see the gradients of modules: heat maps of classes, norms in training, and gradients of what goes in."""

import torch
import torch.nn as nn
import torch.nn.functional as F


def fill(model):
    with torch.no_grad():
        for i, p in enumerate(model.parameters()):
            p.copy_((torch.arange(p.numel()).reshape(p.shape) % 7 - 3) * 0.05 + 0.01 * i)
    return model


class CNN(nn.Module):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 4, 3, padding=1)
        self.conv2 = nn.Conv2d(4, 6, 3, padding=1)
        self.pool = nn.MaxPool2d(2)
        self.fc = nn.Linear(6 * 4 * 4, 3)

    def forward(self, x):
        x = F.relu(self.conv1(x))
        x = self.pool(F.relu(self.conv2(x)))
        return self.fc(x.flatten(1))


x = (torch.arange(128.0).reshape(2, 1, 8, 8) % 11) / 8 - 0.6


class GradCAM:
    def __init__(self, model, target_layer):
        self.model = model
        self.target_layer = target_layer
        self.gradients = None
        self.activations = None
        self.target_layer.register_forward_hook(self.save_activation)
        self.target_layer.register_full_backward_hook(self.save_gradient)

    def save_activation(self, module, input, output):
        self.activations = output

    def save_gradient(self, module, grad_input, grad_output):
        self.gradients = grad_output[0]

    def __call__(self, x, class_idx=None):
        output = self.model(x)
        if class_idx is None:
            class_idx = output.argmax(dim=1).item()
        self.model.zero_grad()
        score = output[0, class_idx]
        score.backward()
        weights = self.gradients.mean(dim=(2, 3), keepdim=True)
        cam = F.relu((weights * self.activations).sum(dim=1, keepdim=True))
        cam = cam - cam.min()
        cam = cam / (cam.max() + 1e-8)
        return cam.squeeze().detach().numpy(), class_idx


def gradcam(model, layer, x, target):
    store = {}

    def forward(m, i, o):
        store["a"] = o.detach()

    def backward(m, gi, go):
        store["g"] = go[0].detach()

    handles = [layer.register_forward_hook(forward), layer.register_backward_hook(backward)]
    logits = model(x)
    model.zero_grad()
    logits[0, target].backward()
    for handle in handles:
        handle.remove()
    weights = store["g"].mean(dim=(2, 3), keepdim=True)
    return F.relu((weights * store["a"]).sum(1))


def train(model, steps):
    optimizer = torch.optim.SGD(model.parameters(), lr=0.1)
    for _ in range(steps):
        optimizer.zero_grad()
        loss = F.cross_entropy(model(x), torch.tensor([0, 2]))
        loss.backward()
        optimizer.step()
        print(loss.item())


model = fill(CNN()).eval()
cam = GradCAM(model, model.conv2)
heat, found = cam(x[:1])
print(heat.shape, float(heat.sum()), found)
heat, found = cam(x[1:2], 1)
print(heat.shape, float(heat.sum()), found)

plain = fill(CNN()).eval()
print(gradcam(plain, plain.conv2, x[:1], 0).sum().item(), gradcam(plain, plain.conv2, x[:1], 2).sum().item())

# in training, until they are removed
trained, norms, order = fill(CNN()), [], []


def note(module, of_inputs, of_outputs):
    norms.append(of_outputs[0].norm().item())
    order.append((type(module).__name__, [g is None or tuple(g.shape) for g in of_inputs]))


handles = [layer.register_full_backward_hook(note) for layer in (trained.fc, trained.conv1)]
trained.fc.register_full_backward_hook(lambda m, i, o: norms.append(i[0].abs().sum().item()))
train(trained, 2)
for handle in handles:
    handle.remove()
train(trained, 1)
print(norms)
for name, shapes in order:
    print(name, *shapes)
