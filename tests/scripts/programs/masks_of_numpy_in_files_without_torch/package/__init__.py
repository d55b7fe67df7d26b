from .first import Margin, Sums, evaluate, add_up
from .second import train, train_others, batches
from .third import held_out
