def build(make):
    return make(size=4)


def build_pair(make):
    return make(), make(size=3)
