class Holder:
    def __init__(self, model):
        self.model = model

    def ready(self):
        self.model.eval()
        return self.model

    def run(self, x):
        return self.model(x)
