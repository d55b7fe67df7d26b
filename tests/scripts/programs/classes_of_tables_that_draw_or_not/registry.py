MODELS = {}
LOSSES = {}


def register(table):
    def added(cls):
        table[cls.__name__.lower()] = cls
        return cls

    return added


def build(table, config):
    config = dict(config)
    return table[config.pop("type")](**config)
