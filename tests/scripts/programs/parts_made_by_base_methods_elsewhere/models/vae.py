import torch
from torch import nn
from torch.nn import Linear
from models.base import Model
from utils.nn import he_init, NonLinear
class VAE(Model):
    def __init__(self, args):
        super(VAE, self).__init__(args)
        self.q = nn.Sequential(NonLinear(3, 4), NonLinear(4, 4))
        self.q_mean = Linear(4, 2)
        for m in self.modules():
            if isinstance(m, nn.Linear):
                he_init(m)
        if self.args["prior"] == "vamp":
            self.add_pseudoinputs()
    def forward(self, x):
        out = self.q_mean(self.q(x))
        if self.args["prior"] == "vamp":
            return out + self.means(self.idle_input).sum()
        return out
