import sys

from evaluate import evaluate


def enjoy(models, name, path):
    Model, data = models[name]()
    return evaluate(path, 4, data, Model)


if __name__ == "__main__":
    print(enjoy({}, sys.argv[1], sys.argv[2]))
