import numpy as np


held_out = np.arange(4) % 3 == 0
