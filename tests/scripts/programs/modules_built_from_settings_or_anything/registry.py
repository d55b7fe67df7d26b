class Registry:
    def __init__(self):
        self.table = {}

    def register(self):
        def noted(cls):
            self.table[cls.__name__] = cls
            return cls

        return noted

    def get(self, name):
        return self.table.get(name)


MODELS = Registry()


def build(settings, registry):
    settings = dict(settings)
    kind = settings.pop("type")
    if isinstance(kind, str):
        made = registry.get(kind)
    else:
        made = kind
    return made(**settings)
