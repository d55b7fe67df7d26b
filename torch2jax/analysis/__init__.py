"""Facts about a program: names, functions, classes, values, flow, effects, training loops. Knows nothing of targets."""
