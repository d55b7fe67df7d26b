"""Bytes, of pictures or pickled objects, become tensors by way of a storage."""

import pickle

import torch

data = bytes(range(12))
image = torch.ByteTensor(torch.ByteStorage.from_buffer(data)).view(2, 2, 3)
storage = torch.ByteStorage.from_buffer(pickle.dumps([1, 2, 3]))
tensor = torch.ByteTensor(storage)
print(image.sum().item(), image[1, 0].tolist(), image.numpy().dtype)
print(pickle.loads(tensor.numpy().tobytes()), tensor.numel())
