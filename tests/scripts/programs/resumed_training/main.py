"""The script two times: the second run goes on from the file of the first."""

import os
import runpy

if os.path.exists("ckpt.pt"):
    os.remove("ckpt.pt")
for run in range(2):
    runpy.run_path(os.path.join(os.path.dirname(os.path.abspath(__file__)), "train.py"))
