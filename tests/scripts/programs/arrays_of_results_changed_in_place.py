"""NumPy arrays of what models and functions give are changed in place: nobody else looks at what they share."""

# also: nnx, linen

from collections import OrderedDict

import numpy as np
import torch
import torch.nn as nn
from torch.utils.data import DataLoader


class Weights(nn.Module):
    def __init__(self):
        super().__init__()
        self.names = ["w", "b"]
        self.nets = nn.ModuleList([nn.Linear(2, 6), nn.Linear(2, 3)])

    def forward(self, z):
        params = OrderedDict()
        for name, net in zip(self.names, self.nets):
            params[name] = net(z).reshape((-1, 3))
        return params


class Field(nn.Module):
    def __init__(self):
        super().__init__()
        self.made = Weights()
        self.encoder = nn.Linear(3, 2)

    def forward(self, given):
        if given.get("embedding", None) is None:
            embedding = self.encoder(given["sparse"])
        else:
            embedding = given["embedding"]
        params = self.made(embedding)
        out = given["coords"] @ params["w"] + params["b"]
        return {"model_in": given["coords"], "model_out": out, "latent": embedding, "params": params}


def as_image(tensor, resolution=None):
    batch, samples, channels = tensor.shape
    if resolution is None:
        height = width = int(samples**0.5)
    else:
        height, width = resolution
    return tensor.permute(0, 2, 1).view(batch, channels, height, width)


def shown(model, loader):
    for step, (given, truth) in enumerate(loader):
        given = {key: value.cpu() for key, value in given.items()}
        truth = {key: value.cpu() for key, value in truth.items()}
        with torch.no_grad():
            found = model(given)
        image = as_image(found["model_out"], (2, 2)).squeeze().permute(1, 2, 0).detach().cpu().numpy()
        image += 1
        image /= 2.0
        image = np.clip(image, 0.0, 1.0)
        sparse = given["sparse"].squeeze().detach().cpu().numpy()
        mask = sparse == 0
        sparse += 1
        sparse /= 2.0
        sparse[mask] = 1.0
        print(step, image.sum().item(), sparse.tolist(), truth["image"].sum().item())


def of_neighbours(model, edges, nodes):
    for node in nodes:
        picked = torch.eq(edges[1], node)
        all_weights = model.weights.squeeze(dim=-1)
        weights = all_weights[picked, 0].cpu().numpy()
        weights /= np.max(weights)
        print(weights.tolist())
    print(model.weights.sum().item())


def placed(kept, matrices):
    x = torch.from_numpy(matrices).unsqueeze(0) * 1
    kept.append(x)
    for step in range(2):
        first = matrices[step]
        final = first[:, :3] @ matrices
        final[:, :, -1:] += first[:, -1:]
        print(final.sum().item(), x.sum().item())


class Logged:
    weights = None


def main():
    model = Field()
    for number, parameter in enumerate(model.parameters()):
        nn.init.constant_(parameter, 0.1 * (number + 1))
    coords = torch.arange(8.0).reshape(1, 4, 2) / 8
    sparse = torch.tensor([[0.0, 1.0, 2.0]])
    found = model({"coords": coords, "sparse": sparse})
    image = as_image(found["model_out"]).squeeze().permute(1, 2, 0).detach().cpu().numpy()
    image += 1
    image /= 2.0
    print(image.sum().item())
    truth = {"image": torch.ones(2)}
    shown(model, DataLoader([({"coords": coords[0], "sparse": sparse[0]}, truth)] * 2, batch_size=1))
    logged = Logged()
    logged.weights = torch.arange(1.0, 9.0).reshape(4, 2, 1)
    placed([], np.arange(24.0).reshape(2, 3, 4))
    of_neighbours(logged, torch.tensor([[0, 1, 2, 3], [1, 1, 0, 0]]), [0, 1])


main()
