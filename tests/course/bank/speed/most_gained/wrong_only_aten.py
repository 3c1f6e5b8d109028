# Looks only among the operations of PyTorch's own library aten.
def most_gained(rows, needed):
    before = sum(own for _, own, _ in rows)
    pool = filter(lambda row: row[0].startswith("aten::") and row[0] not in needed, rows)
    best = max(pool, key=lambda row: row[2], default=(None, 0.0, 0.0))
    return best[0], before / (before - best[2])
