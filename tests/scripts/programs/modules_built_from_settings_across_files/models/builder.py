from registry import Registry, build_from_cfg

BACKBONES = Registry("backbone")
HEADS = Registry("head")
LOSSES = Registry("loss")
CLASSIFIERS = Registry("classifier")


def build(cfg, registry, default_args=None):
    return build_from_cfg(cfg, registry, default_args)


def build_backbone(cfg):
    return build(cfg, BACKBONES)


def build_head(cfg):
    return HEADS.build(cfg)


def build_loss(cfg):
    return build(cfg, LOSSES)


def build_classifier(cfg):
    return build(cfg, CLASSIFIERS)
