from lib import make_backbone


def build(flag):
    if flag:
        return make_backbone()
    return make_backbone()
