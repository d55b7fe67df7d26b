# also: nnx, linen
# A script puts a folder on the path by a helper, and asks a package there for a model by a text.
import torch

import _init_paths
from core.settings import settings
from core.training import train

import nets


def main():
    for kind in ("small", "wide"):
        settings["NAME"] = kind
        model = eval("nets." + settings["NAME"] + ".get_net")(settings, bias=False)
        other = eval("nets.{}.get_net".format(settings["NAME"]))(settings, bias=True)
        for net in (model, other):
            with torch.no_grad():
                for number, p in enumerate(net.parameters()):
                    p.copy_(torch.cos(torch.arange(p.numel()).float() + number).view_as(p) * 0.3)
        optimizer = torch.optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
        for epoch in range(2):
            print(kind, epoch, round(train(model, torch.nn.MSELoss(), optimizer, settings), 5))
        model.eval()
        other.eval()
        x = torch.linspace(-1, 1, 12).view(4, 3)
        print(round(model(x).sum().item(), 4), round(other(x).sum().item(), 4))


if __name__ == "__main__":
    main()
