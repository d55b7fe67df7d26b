"""A configuration that makes what it names."""


class Config:
    def __init__(self, config):
        self.config = config

    def __getitem__(self, name):
        return self.config[name]

    def init_obj(self, name, module, *args, **kwargs):
        options = dict(self[name]["args"])
        options.update(kwargs)
        return getattr(module, self[name]["type"])(*args, **options)
