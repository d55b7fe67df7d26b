"""Sequences of layers that torch knows by names."""

import equinox as eqx


class NamedSequential(eqx.nn.Sequential):
    """torch.nn.Sequential of an OrderedDict: a sequence whose layers have names, too."""

    names: tuple = eqx.field(static=True)

    def __init__(self, layers):
        super().__init__(list(layers.values()))
        self.names = tuple(layers)

    def __getattr__(self, name):
        if name.startswith("__") or "names" not in vars(self) or name not in self.names:
            raise AttributeError(name)
        return self.layers[self.names.index(name)]
