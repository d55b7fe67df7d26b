"""Runs one of the programs with its model compiled by torch: `python -m benchmarks.emitted.compiled PROGRAM [ARGUMENTS]`."""

import runpy
import sys


def main() -> None:
    program = sys.argv[1]
    sys.argv = sys.argv[1:]
    names = runpy.run_path(program)
    run, train = names["main"], names["train"]

    def compiled(model, *args):
        if model._compiled_call_impl is None:
            model.compile()
        return train(model, *args)

    run.__globals__["train"] = compiled
    run()


if __name__ == "__main__":
    main()
