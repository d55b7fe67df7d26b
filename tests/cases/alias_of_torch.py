import torch

T = torch
N = torch.nn
x = T.ones(2)
layer = N.ReLU()
