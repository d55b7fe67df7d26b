# also: nnx, linen
# Layers and losses that files ask torch for by names which other files of the program give.
import torch
import torch.nn.functional as F

import losses as f
import nets as s


print(round(f.Criterion()(f.x, f.y).item(), 4), round(f.Criterion("L1Loss", "smooth_l1_loss")(f.x, f.y).item(), 4))
for kind in ("mean", "sum"):
    print([round(v, 4) for v in f.reduced(f.x, kind).tolist()])
cfg = s.Config()
loss_fn = getattr(F, cfg.loss)
print([round(v, 4) for v in s.Mlp(cfg)(f.x).flatten().tolist()])
print(round(loss_fn(s.Mlp(s.Config(act="Softplus"))(f.x), torch.tensor([0, 1, 0])).item(), 4))
