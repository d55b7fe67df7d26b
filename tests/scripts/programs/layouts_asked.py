"""Where no sparse tensor is made, no tensor has a sparse layout."""

import torch

x = torch.eye(3)
print(torch.zeros(2, 2, layout=torch.strided).sum().item())
if x.layout == torch.sparse_coo:
    print("sparse")
elif x.layout in (torch.sparse_csr, torch.sparse_csc):
    print("compressed")
else:
    print("dense", x.layout == torch.strided)
