


MODELS = {}
