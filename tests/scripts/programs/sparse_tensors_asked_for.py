# flagged: T2J200
"""Questions that sparse tensors answer in their own way."""

import torch

a = torch.eye(3).to_sparse()
print(a.is_sparse, a.layout)
print(a.indices(), a.values())
print(a._indices(), a._nnz())
