"""A part of a model whose convolutions compute in half precision, and in single precision again."""
# also: nnx, linen

import torch as th
import torch.nn as nn


def convert_module_to_f16(l):
    if isinstance(l, (nn.Conv1d, nn.Conv2d, nn.Conv3d)):
        l.weight.data = l.weight.data.half()
        if l.bias is not None:
            l.bias.data = l.bias.data.half()


def convert_module_to_f32(l):
    if isinstance(l, (nn.Conv1d, nn.Conv2d, nn.Conv3d)):
        l.weight.data = l.weight.data.float()
        if l.bias is not None:
            l.bias.data = l.bias.data.float()


class Block(nn.Module):
    def __init__(self, ch):
        super().__init__()
        self.conv = nn.Conv2d(ch, ch, 3, padding=1)
        self.norm = nn.GroupNorm(2, ch)

    def forward(self, x):
        return x + self.conv(self.norm(x.float()).type(x.dtype))


class UNet(nn.Module):
    def __init__(self, ch, use_fp16=False):
        super().__init__()
        self.dtype = th.float16 if use_fp16 else th.float32
        self.input_blocks = nn.ModuleList([nn.Sequential(nn.Conv2d(2, ch, 3, padding=1))])
        self.input_blocks.append(nn.Sequential(Block(ch)))
        self.middle_block = nn.Sequential(Block(ch), Block(ch))
        self.out = nn.Conv2d(ch, 2, 3, padding=1)

    def convert_to_fp16(self):
        """
        Convert the torso of the model to float16.
        """
        self.input_blocks.apply(convert_module_to_f16)
        self.middle_block.apply(convert_module_to_f16)

    def convert_to_fp32(self):
        self.input_blocks.apply(convert_module_to_f32)
        self.middle_block.apply(convert_module_to_f32)

    def forward(self, x):
        h = x.type(self.dtype)
        for module in self.input_blocks:
            h = module(h)
        h = self.middle_block(h)
        h = h.type(x.dtype)
        return self.out(h)


def main():
    th.manual_seed(0)
    model = UNet(4, use_fp16=True)
    for p in model.parameters():
        p.data.copy_(th.linspace(-0.2, 0.3, p.numel()).view(p.shape))
    model.convert_to_fp16()
    model.eval()
    x = th.linspace(-1, 1, 32).view(1, 2, 4, 4)
    print(model.input_blocks[1][0].conv.weight.dtype == th.float16)
    print(round(model(x).abs().sum().item(), 1), model.out.weight.dtype == th.float32)
    model.convert_to_fp32()
    print(model.middle_block[0].conv.bias.dtype == th.float32)
    print(round(model.out(model.middle_block(model.input_blocks[0](x))).abs().sum().item(), 2))


main()
