import torch.nn as nn


class Base(nn.Module):
    def weights_init(self, m):
        if isinstance(m, nn.Linear):
            nn.init.constant_(m.weight.data, 0.5)
            if m.bias is not None:
                m.bias.data.fill_(0.0)
