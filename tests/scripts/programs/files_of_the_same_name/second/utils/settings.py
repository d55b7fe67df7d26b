rate = 0.5
