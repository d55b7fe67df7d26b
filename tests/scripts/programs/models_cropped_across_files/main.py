"""The method that crops, and the dictionary of modules, are those of another file."""

import torch
from model import GPT, Config

model = GPT(Config())
print(model(torch.ones(1, 4, 4)).tolist())
if 3 < model.config.block_size:
    model.crop_block_size(3)
print(model(torch.ones(1, 2, 4)).tolist(), model.config.block_size, tuple(model.transformer.wpe.weight.shape))
print([(name, tuple(value.shape)) for name, value in model.state_dict().items()])
