_MODELS = {}


def register_model(fn):
    _MODELS[fn.__name__] = fn
    return fn


def create_model(name, **kw):
    if name not in _MODELS:
        raise ValueError(name)
    return _MODELS[name](**kw)
