# NumPy's stable sorts in float64, and a mask.
import numpy as np


def superfluous(losses, last):
    steps = np.array(sorted(losses), dtype=np.int64)
    values = np.array([losses[step] for step in steps.tolist()], dtype=np.float64)
    may_go = np.arange(len(steps)) < len(steps) - last
    if len(steps):
        may_go[np.argmin(values)] = False
    return steps[may_go].tolist()
