# also: nnx, linen
"""What torch has is asked of `dir`, as of `hasattr`."""
import torch
import torch.nn as nn
import torch.nn.functional as F

has = "silu" in dir(torch.nn.functional)
missing = "no_such_function" not in dir(F)
print(int(has), int(missing), int("Linear" in dir(nn)), int("no_such_layer" in dir(nn)), int(hasattr(F, "silu")))
act = F.silu if "silu" in dir(F) else F.relu
print(act(torch.tensor([1.0, -2.0])).tolist())
