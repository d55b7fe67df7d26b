from torch import nn

SKIPPED = (nn.ReLU, nn.MaxPool2d, nn.Dropout2d, nn.Sequential)
RULES = {nn.Conv2d: 3, nn.ReLU: 2, nn.AvgPool2d: 5, nn.Dropout2d: 7}
