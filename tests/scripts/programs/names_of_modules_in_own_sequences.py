# also: nnx, linen
import torch
import torch.nn as nn


class ConvReLU(nn.Sequential):
    def __init__(self, n, m, use_batchnorm=True):
        conv = nn.Conv2d(n, m, 3, padding=1)
        super().__init__(conv, nn.BatchNorm2d(m) if use_batchnorm else nn.Identity(), nn.ReLU())


class Block(nn.Module):
    def __init__(self, in_channels, skip_channels, out_channels, **kwargs):
        super().__init__()
        self.conv = ConvReLU(in_channels + skip_channels, out_channels, **kwargs)
        self.out_channels = out_channels

    def forward(self, x, skip=None):
        return self.conv(x if skip is None else torch.cat([x, skip], dim=1))


class Decoder(nn.Module):
    def __init__(self, encoder_channels, decoder_channels, use_batchnorm=True):
        super().__init__()
        encoder_channels = encoder_channels[1:]
        encoder_channels = encoder_channels[::-1]
        head_channels = encoder_channels[0]
        in_channels = [head_channels] + list(decoder_channels[:-1])
        skip_channels = list(encoder_channels[1:]) + [0]
        kwargs = dict(use_batchnorm=use_batchnorm)
        blocks = [Block(i, s, o, **kwargs) for i, s, o in zip(in_channels, skip_channels, decoder_channels)]
        self.blocks = nn.ModuleList(blocks)

    def forward(self, *features):
        features = features[1:]
        features = features[::-1]
        x, skips = features[0], features[1:]
        for i, block in enumerate(self.blocks):
            x = block(x, skips[i] if i < len(skips) else None)
        return x


class Encoder(nn.Module):
    def __init__(self, widths):
        super().__init__()
        self._widths = widths
        self.first = nn.Conv2d(widths[0], widths[1], 3, padding=1)
        self.second = nn.Conv2d(widths[1], widths[2], 3, padding=1)

    @property
    def out_channels(self):
        return self._widths[:3]

    def forward(self, x):
        y = self.first(x)
        return [x, y, self.second(torch.tanh(y))]


def initialize(module):
    for k, m in enumerate(module.modules()):
        if isinstance(m, nn.Conv2d):
            with torch.no_grad():
                m.weight.copy_(torch.sin(torch.arange(m.weight.numel()).float() + k).reshape(m.weight.shape) * 0.2)
            nn.init.constant_(m.bias, 0.1)


def get_encoder(name, **options):
    maker = {"plain": Encoder}[name]
    return maker(**options)


class Unet(nn.Module):
    def __init__(self, name, decoder_channels=(6, 4)):
        super().__init__()
        self.encoder = get_encoder(name, widths=[2, 3, 5])
        self.decoder = Decoder(encoder_channels=self.encoder.out_channels, decoder_channels=decoder_channels)
        self.head = nn.Conv2d(decoder_channels[-1], 1, 1)
        self.initialize()

    def initialize(self):
        initialize(self.encoder)
        initialize(self.decoder)
        initialize(self.head)

    def forward(self, x):
        return self.head(self.decoder(*self.encoder(x)))


net = Unet("plain")
print([n for n, m in net.decoder.named_modules()])
print(len(list(net.decoder.modules())), [type(m).__name__ for m in net.decoder.modules()])
