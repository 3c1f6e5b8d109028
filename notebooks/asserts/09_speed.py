# What must hold in 09_speed.ipynb after the cell with each id (see lessonkit/notebook/asserts.py).

# after 8feaef3e
assert gain > 1.5

# after a9c1d204
assert max(shown["interval", 1.0]) < 0.03 and shown["interval", 1.2][-1] > 0.85 > shown["interval", 1.2][0] + 0.5
assert shown["all over 1", 1.2][-1] < 0.02

# after 0a0d3ac2
assert (plain - mixed).abs().mean() < 0.2

# after 05db6dce
assert kept[0] > 2 * kept[1]

# after 256d88c6
assert kept[0] > 1.5 * kept[1]

# after a6bc6d30
assert "aten::_linalg_svd" in [name for name, *_ in seen[:6]]

# after a5d27bc9
assert ledger["bottleneck mended"][1] > 1  # the median of nine; one that a neighbour disturbs makes it "not shown"

# after f16a0006
assert queue(20, wait=True) > 1.2 * queue(20, wait=False) and queue(2, wait=True) < 1.05 * queue(2, wait=False)

# after e40ddc42
assert clearing_step(False).shape == (16, 1, 5, 5) and clearing_step(True) is None

# after 148420a8
assert [bool((t[0] == 7).all()) for t in (copied, shared, again)] == [False, True, True]

# after 6a3437f5
assert kept[0] > 1e6 and kept[1] == 0

# after ec562bcc
assert statistics.median(before) > statistics.median(after)

# after fd000002
assert {"aten::std", "aten::quantile", "aten::_log_softmax"} <= {name for name, *_ in seen}

# after e32865f1
assert seen.flatten(1).shape == (128, 16 * 12 * 12)
assert ledger["data as one tensor"][1] > 3
