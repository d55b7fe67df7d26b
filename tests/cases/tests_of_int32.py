import torch


def kind(t):
    if isinstance(t, torch.IntTensor):  # T2J201
        return "int"
    if t.dtype == torch.int32:  # T2J201
        return "int32"
    if t.dtype in (torch.int32, torch.uint8):  # T2J201
        return "indices"
    if t.dtype in (torch.int32, torch.int64) or isinstance(t, (torch.IntTensor, torch.LongTensor)):
        return "whole"
    assert t.dtype == torch.float32 or t.dtype == torch.int32
    return "long" if t.dtype == torch.int64 else "other"


print(kind(torch.tensor([1])), kind(torch.tensor([1]).int()))
