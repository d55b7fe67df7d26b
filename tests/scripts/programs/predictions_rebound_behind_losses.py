# also: nnx, linen
# Capsules with routing, whose evaluation gives a variable another value behind the loss that reads it.
import torch
import torch.nn as nn
import torch.nn.functional as F


def squash(inputs, axis=-1):
    norm = torch.norm(inputs, p=2, dim=axis, keepdim=True)
    scale = norm**2 / (1 + norm**2) / (norm + 1e-8)
    return scale * inputs


class DenseCapsule(nn.Module):
    def __init__(self, in_num_caps, in_dim_caps, out_num_caps, out_dim_caps, routings=3):
        super(DenseCapsule, self).__init__()
        self.in_num_caps = in_num_caps
        self.in_dim_caps = in_dim_caps
        self.out_num_caps = out_num_caps
        self.out_dim_caps = out_dim_caps
        self.routings = routings
        self.weight = nn.Parameter(0.01 * torch.randn(out_num_caps, in_num_caps, out_dim_caps, in_dim_caps))

    def forward(self, x):
        x_hat = torch.squeeze(torch.matmul(self.weight, x[:, None, :, :, None]), dim=-1)
        x_hat_detached = x_hat.detach()
        b = torch.zeros(x.size(0), self.out_num_caps, self.in_num_caps).to(x.device)
        assert self.routings > 0, 'The \'routings\' should be > 0.'
        for i in range(self.routings):
            c = F.softmax(b, dim=1)
            if i == self.routings - 1:
                outputs = squash(torch.sum(c[:, :, :, None] * x_hat, dim=-2, keepdim=True))
            else:
                outputs = squash(torch.sum(c[:, :, :, None] * x_hat_detached, dim=-2, keepdim=True))
                b = b + torch.sum(outputs * x_hat_detached, dim=-1)
        return torch.squeeze(outputs, dim=-2)


class PrimaryCapsule(nn.Module):
    def __init__(self, in_channels, out_channels, dim_caps, kernel_size, stride=1, padding=0):
        super(PrimaryCapsule, self).__init__()
        self.dim_caps = dim_caps
        self.conv2d = nn.Conv2d(in_channels, out_channels, kernel_size=kernel_size, stride=stride, padding=padding)

    def forward(self, x):
        outputs = self.conv2d(x)
        outputs = outputs.view(x.size(0), -1, self.dim_caps)
        return squash(outputs)


class CapsuleNet(nn.Module):
    def __init__(self, input_size, classes, routings):
        super(CapsuleNet, self).__init__()
        self.input_size = input_size
        self.classes = classes
        self.routings = routings
        self.conv1 = nn.Conv2d(input_size[0], 8, kernel_size=3, stride=1, padding=0)
        self.primarycaps = PrimaryCapsule(8, 8, 4, kernel_size=3, stride=2, padding=0)
        self.digitcaps = DenseCapsule(in_num_caps=2 * 2 * 2, in_dim_caps=4, out_num_caps=classes, out_dim_caps=6, routings=routings)
        self.decoder = nn.Sequential(
            nn.Linear(6 * classes, 16), nn.ReLU(inplace=True),
            nn.Linear(16, input_size[0] * input_size[1] * input_size[2]), nn.Sigmoid())
        self.relu = nn.ReLU()

    def forward(self, x, y=None):
        x = self.relu(self.conv1(x))
        x = self.primarycaps(x)
        x = self.digitcaps(x)
        length = x.norm(dim=-1)
        if y is None:
            index = length.max(dim=1)[1]
            y = torch.zeros(length.size()).scatter_(1, index.view(-1, 1).cpu().data, 1.)
        reconstruction = self.decoder((x * y[:, :, None]).view(x.size(0), -1))
        return length, reconstruction.view(-1, *self.input_size)


def caps_loss(y_true, y_pred, x, x_recon, lam_recon):
    L = y_true * torch.clamp(0.9 - y_pred, min=0.)**2 + 0.5 * (1 - y_true) * torch.clamp(y_pred - 0.1, min=0.)**2
    L_margin = L.sum(dim=1).mean()
    L_recon = nn.MSELoss()(x_recon, x)
    return L_margin + lam_recon * L_recon


model = CapsuleNet(input_size=[1, 8, 8], classes=3, routings=3)
with torch.no_grad():
    for p in model.parameters():
        p.copy_(torch.linspace(-0.4, 0.5, p.numel()).reshape(p.shape))
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
lr_decay = torch.optim.lr_scheduler.ExponentialLR(optimizer, gamma=0.9)
X = torch.sin(torch.arange(6 * 64.)).reshape(6, 1, 8, 8)
Y = torch.tensor([0, 1, 2, 0, 1, 2])


def test(model):
    model.eval()
    test_loss, correct = 0, 0
    for x, y in zip(X.split(3), Y.split(3)):
        y = torch.zeros(y.size(0), 3).scatter_(1, y.view(-1, 1), 1.)
        y_pred, x_recon = model(x)
        test_loss += caps_loss(y, y_pred, x, x_recon, 0.0005 * 64).item() * x.size(0)
        y_pred = y_pred.data.max(1)[1]
        y_true = y.data.max(1)[1]
        correct += y_pred.eq(y_true).cpu().sum()
    test_loss /= 6
    return test_loss, correct.item() / 6


for epoch in range(3):
    model.train()
    training_loss = 0.0
    for i, (x, y) in enumerate(zip(X.split(2), Y.split(2))):
        y = torch.zeros(y.size(0), 3).scatter_(1, y.view(-1, 1), 1.)
        optimizer.zero_grad()
        y_pred, x_recon = model(x, y)
        loss = caps_loss(y, y_pred, x, x_recon, 0.0005 * 64)
        loss.backward()
        training_loss += loss.item() * x.size(0)
        optimizer.step()
    lr_decay.step()
    val_loss, val_acc = test(model)
    print('%.5f %.5f %.4f' % (training_loss / 6, val_loss, val_acc))
