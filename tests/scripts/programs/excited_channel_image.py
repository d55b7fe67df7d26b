# also: nnx, linen
"""An image is trained to excite one channel in the middle of a model, which is used again behind it."""

import torch
from torch import nn
from torch.optim import Adam


class Dream:
    def __init__(self, model, layer, channel):
        self.model = model
        self.model.eval()
        self.layer = layer
        self.channel = channel
        self.conv_output = 0

    def dream(self, image):
        self.image = image.clone().requires_grad_(True)
        optimizer = Adam([self.image], lr=0.1, weight_decay=1e-4)
        for i in range(1, 6):
            optimizer.zero_grad()
            x = self.image
            for index, layer in enumerate(self.model):
                x = layer(x)
                if index == self.layer:
                    break
            self.conv_output = x[0, self.channel]
            loss = -torch.mean(self.conv_output)
            print(i, f"{loss.data.numpy():.4f}")
            loss.backward()
            optimizer.step()
        return self.image


model = nn.Sequential(nn.Conv2d(3, 4, 3), nn.ReLU(), nn.Conv2d(4, 4, 1), nn.Sigmoid(), nn.Conv2d(4, 1, 1))
for i, p in enumerate(model.parameters()):
    p.data = torch.linspace(-1, 1, p.numel()).reshape(p.shape) * 0.3
image = (torch.arange(48).reshape(1, 3, 4, 4) * 5 % 256).float() / 255
before = image.sum().item()
print(Dream(model, 3, 1).dream(image).sum().item())
print(before, image.sum().item())
print(sum(p.abs().sum().item() for p in model.parameters()))
