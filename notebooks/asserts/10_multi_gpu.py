# What must hold in 10_multi_gpu.ipynb after the cell with each id (see lessonkit/notebook/asserts.py).

# after 1d7e119c
assert (one - of_two).abs().max() < 1e-4

# after a5b536ce
assert logged[0][0] != logged[1][0] and logged[0][1] == logged[1][1]

# after 44c52df1
assert len(hashes) == 1 and resumed == {20}, "the same weights, to the last bit"

# after ae5e3fa1
assert plain[-1] < plain[0] / 2 and spread[-1] < spread[0] / 2

# after c10f_rate
assert same > 1.2 * scaled

# after 5dff20a3
assert horovod.code == 0, horovod.errors + horovod.agent
assert len(ours) == 1, "two ranks, one checksum of the weights"

# after c10f_save1
assert abs(min(range(9), key=shares.__getitem__) - 4) <= 1
