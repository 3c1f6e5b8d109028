# Masks the needed rows in numpy and takes the argmax.
import numpy as np


def most_gained(rows, needed):
    names = [row[0] for row in rows]
    own, total = np.array([row[1:] for row in rows], dtype=np.float64).reshape(-1, 2).T
    spare = ~np.isin(names, list(needed)) if needed else np.ones(len(names), dtype=bool)
    if not spare.any():
        return None, 1.0
    at = int(np.where(spare, total, -np.inf).argmax())
    return names[at], float(own.sum() / (own.sum() - total[at]))
