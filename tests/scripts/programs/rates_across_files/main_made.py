# also: nnx, linen
import torch
from common import data, make_model
from schedulers import get_scheduler
from fitting import Trainer

model = make_model()
optimizer = torch.optim.Adam(model.parameters(), lr=0.01)
scheduler = get_scheduler("lambda", optimizer)
trainer = Trainer(model, optimizer, scheduler)
x, y = data()
trainer.fit(x, y, 5)
