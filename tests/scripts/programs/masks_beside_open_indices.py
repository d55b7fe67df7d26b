# also: nnx, linen
"""Masks beside indices that nothing says to be whole numbers."""

import torch
def get_mask(sizes, window, length, stride):
    input_size = sizes[0]
    second = length // stride
    third = input_size + second
    mask = torch.zeros(third, 4, dtype=torch.int32) - 1
    for i in range(input_size):
        mask[i, 0:window] = i + torch.arange(window) - window // 2
        mask[i, mask[i] > input_size - 1] = -1
        mask[i][mask[i] > third - 1] = third - 1
    for i in range(second):
        mask[input_size + i, 0:window] = input_size + i + torch.arange(window) - window // 2
        mask[input_size + i, mask[input_size + i] > third - 1] = third - 1
    return mask
print(get_mask([4], 3, 4, 2).tolist())
