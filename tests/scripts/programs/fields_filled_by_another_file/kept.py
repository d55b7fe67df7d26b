class Logged:
    weights = None


class Memory:
    def __init__(self):
        self.states = None
