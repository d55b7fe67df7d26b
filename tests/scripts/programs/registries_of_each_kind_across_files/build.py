from copy import deepcopy
import archs, losses, data, metrics
from registry import ARCH_REGISTRY, LOSS_REGISTRY, DATASET_REGISTRY, METRIC_REGISTRY


def build_network(opt):
    opt = deepcopy(opt)
    network_type = opt.pop("type")
    net = ARCH_REGISTRY.get(network_type)(**opt)
    return net


def build_loss(opt):
    opt = deepcopy(opt)
    loss_type = opt.pop("type")
    loss = LOSS_REGISTRY.get(loss_type)(**opt)
    return loss


def build_dataset(dataset_opt):
    dataset_opt = deepcopy(dataset_opt)
    dataset = DATASET_REGISTRY.get(dataset_opt["type"])(dataset_opt)
    return dataset


def calculate_metric(data, opt):
    opt = deepcopy(opt)
    metric_type = opt.pop("type")
    metric = METRIC_REGISTRY.get(metric_type)(**data, **opt)
    return metric
