# also: nnx, linen
import torch
import torch.nn as nn
from torch.autograd import grad


def gradient(inputs, outputs):
    d_points = torch.ones_like(outputs, requires_grad=False, device=outputs.device)
    points_grad = grad(outputs=outputs, inputs=inputs, grad_outputs=d_points, create_graph=True, retain_graph=True, only_inputs=True)[0][:, -3:]
    return points_grad


class ImplicitNet(nn.Module):
    def __init__(self):
        super().__init__()
        self.lin0 = nn.Linear(3, 16)
        self.lin1 = nn.Linear(16, 16)
        self.lin2 = nn.Linear(16, 1)
        self.activation = nn.Softplus(beta=100)

    def forward(self, x):
        x = self.activation(self.lin0(x))
        x = self.activation(self.lin1(x))
        return self.lin2(x)

def fill(module):
    with torch.no_grad():
        for k, p in enumerate(module.parameters()):
            p.copy_(torch.sin(torch.arange(p.numel()).float() * 0.7 + k).reshape(p.shape) * 0.3)


def draw(n, m, s=1.0):
    return (torch.arange(n * m).float() * 0.61803 * s % 1).reshape(n, m)


torch.manual_seed(0)
network = ImplicitNet()
fill(network)
optimizer = torch.optim.Adam(network.parameters(), lr=0.005)
pts = draw(40, 3)
normals = pts / pts.norm(dim=-1, keepdim=True)
for epoch in range(10):
    mnfld_pnts = pts.clone()
    nonmnfld_pnts = torch.cat([mnfld_pnts + 0.1, mnfld_pnts * 2], dim=0)
    mnfld_pnts.requires_grad_()
    nonmnfld_pnts.requires_grad_()
    mnfld_pred = network(mnfld_pnts)
    nonmnfld_pred = network(nonmnfld_pnts)
    mnfld_grad = gradient(mnfld_pnts, mnfld_pred)
    nonmnfld_grad = gradient(nonmnfld_pnts, nonmnfld_pred)
    mnfld_loss = (mnfld_pred.abs()).mean()
    grad_loss = ((nonmnfld_grad.norm(2, dim=-1) - 1) ** 2).mean()
    loss = mnfld_loss + 0.1 * grad_loss
    normals_loss = ((mnfld_grad - normals).abs()).norm(2, dim=1).mean()
    loss = loss + 1.0 * normals_loss
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    if epoch % 3 == 0:
        print("Epoch: {} loss: {:.6f} m {:.6f} g {:.6f} n {:.6f}".format(epoch, loss.item(), mnfld_loss.item(), grad_loss.item(), normals_loss.item()))
