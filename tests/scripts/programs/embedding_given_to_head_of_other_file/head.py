import torch.nn as nn


class Head(nn.Module):
    def __init__(self, body, scale):
        super().__init__()
        self.scale = scale
        shape = body.wte.weight.shape
        self.decoder = nn.Linear(shape[1], shape[0], bias=False)
        self.decoder.weight = body.wte.weight  # tied

    def forward(self, h):
        return self.decoder(h) * self.scale


