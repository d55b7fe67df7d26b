# Models that libraries make of which nothing is known: their weights may be read, but nothing is loaded into them.
import torch
from models_of_somebody import get_frame, get_model

model = get_model(10)
model.load_state_dict(torch.load("saved.pt"))  # T2J203
saved = model.state_dict()
frame = get_frame()
print(frame.eval("a + b"))
