"""Blocks that are given a class and a lambda of the model: gated residual blocks of a PixelCNN."""
# also: nnx, linen

import torch
import torch.nn as nn
import torch.nn.functional as F


def concat_elu(x):
    axis = len(x.size()) - 3
    return F.elu(torch.cat([x, -x], dim=axis))


def down_shift(x, pad=None):
    xs = [int(y) for y in x.size()]
    x = x[:, :, : xs[2] - 1, :]
    pad = nn.ZeroPad2d((0, 0, 1, 0)) if pad is None else pad
    return pad(x)


class nin(nn.Module):
    def __init__(self, dim_in, dim_out):
        super(nin, self).__init__()
        self.lin_a = nn.Linear(dim_in, dim_out)
        self.dim_out = dim_out

    def forward(self, x):
        og_x = x
        x = x.permute(0, 2, 3, 1)
        shp = [int(y) for y in x.size()]
        out = self.lin_a(x.contiguous().view(shp[0] * shp[1] * shp[2], shp[3]))
        shp[-1] = self.dim_out
        out = out.view(shp)
        return out.permute(0, 3, 1, 2)


class down_shifted_conv2d(nn.Module):
    def __init__(self, num_filters_in, num_filters_out, filter_size=(2, 3), stride=(1, 1), shift_output_down=False):
        super(down_shifted_conv2d, self).__init__()
        self.conv = nn.Conv2d(num_filters_in, num_filters_out, filter_size, stride)
        self.shift_output_down = shift_output_down
        self.pad = nn.ZeroPad2d(
            (int((filter_size[1] - 1) / 2), int((filter_size[1] - 1) / 2), filter_size[0] - 1, 0)
        )
        if shift_output_down:
            self.down_shift = lambda x: down_shift(x, pad=nn.ZeroPad2d((0, 0, 1, 0)))

    def forward(self, x):
        x = self.pad(x)
        x = self.conv(x)
        return self.down_shift(x) if self.shift_output_down else x


class gated_resnet(nn.Module):
    def __init__(self, num_filters, conv_op, nonlinearity=concat_elu, skip_connection=0):
        super(gated_resnet, self).__init__()
        self.skip_connection = skip_connection
        self.nonlinearity = nonlinearity
        self.conv_input = conv_op(2 * num_filters, num_filters)
        if skip_connection != 0:
            self.nin_skip = nin(2 * skip_connection * num_filters, num_filters)
        self.dropout = nn.Dropout2d(0.5)
        self.conv_out = conv_op(2 * num_filters, 2 * num_filters)

    def forward(self, og_x, a=None):
        x = self.conv_input(self.nonlinearity(og_x))
        if a is not None:
            x += self.nin_skip(self.nonlinearity(a))
        x = self.nonlinearity(x)
        x = self.dropout(x)
        x = self.conv_out(x)
        a, b = torch.chunk(x, 2, dim=1)
        c3 = a * torch.sigmoid(b)
        return og_x + c3


class Net(nn.Module):
    def __init__(self, nr_filters, resnet_nonlinearity="concat_elu"):
        super().__init__()
        if resnet_nonlinearity == "concat_elu":
            self.resnet_nonlinearity = lambda x: concat_elu(x)
        else:
            raise Exception("right now only concat elu is supported as resnet nonlinearity.")
        self.u = nn.ModuleList([gated_resnet(nr_filters, down_shifted_conv2d, self.resnet_nonlinearity) for _ in range(2)])
        self.ul = nn.ModuleList(
            [gated_resnet(nr_filters, down_shifted_conv2d, self.resnet_nonlinearity, skip_connection=1) for _ in range(2)]
        )

    def forward(self, u, ul):
        u_list, ul_list = [], []
        for i in range(2):
            u = self.u[i](u)
            ul = self.ul[i](ul, a=u)
            u_list += [u]
            ul_list += [ul]
        return u_list[-1] + ul_list[-1]


torch.manual_seed(0)
net = Net(2)
for p in net.parameters():
    p.data.copy_(torch.linspace(-0.3, 0.4, p.numel()).view(p.shape))
net.eval()
x = torch.linspace(-1, 1, 32).view(1, 2, 4, 4)
print(net(x, x * 0.5).sum().item())
