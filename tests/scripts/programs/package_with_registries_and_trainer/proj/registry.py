class Registry:
    def __init__(self, name):
        self.name = name
        self._items = {}

    def register(self, name=None):
        def wrap(cls):
            self._items[name or cls.__name__] = cls
            return cls
        return wrap

    def get(self, name):
        return self._items[name]


MODELS = Registry("models")
LOSSES = Registry("losses")


def build(registry, cfg):
    cfg = dict(cfg)
    return registry.get(cfg.pop("type"))(**cfg)
