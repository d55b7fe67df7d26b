from models.named import Named
from models.plain import Plain


def get_model(name, **settings):
    kind = {"plain": Plain, "named": Named}[name]
    return kind(4, **settings)
