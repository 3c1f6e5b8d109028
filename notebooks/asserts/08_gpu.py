# What must hold in 08_gpu.ipynb after the cell with each id (see lessonkit/notebook/asserts.py).

# after c3cfbad0
assert elsewhere.type != "meta" or held is not model.weight

# after c3649938
assert torch.__version__.startswith("2.11") or ("cuda:0" in message and "cpu" in message)

# after a28f8fc3
assert launched < between < waited and between >= 0.19

# after c8amemdr
assert in_use[peak] > 10 * kept and during == "backward"

# after 3e4a0547
assert all(hasattr(getattr(torch, kind), name) for kind in ("cuda", "mps", "cpu") for name in wanted[:2])

# after 35d16765
assert saved[-1] > 50 * saved[0]

# after b442dbbb
assert waits[1] < waits[0]
