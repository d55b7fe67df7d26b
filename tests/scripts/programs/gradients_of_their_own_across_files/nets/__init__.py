from .grl import GradReverse, reverse
