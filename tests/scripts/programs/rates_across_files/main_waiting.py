# also: nnx, linen
from common import data, make_model
from torch import optim
from waiting import Trainer

model = make_model()
optimizer = optim.SGD(model.parameters(), lr=0.5)
scheduler = optim.lr_scheduler.ReduceLROnPlateau(optimizer, mode="min", factor=0.5, patience=0)
x, y = data()
Trainer(model, optimizer, scheduler).run(x, y)
