# What must hold in 11_allreduce.ipynb after the cell with each id (see lessonkit/notebook/asserts.py).

# after a710d083
assert {found["ring"][1] for found in counted} == {2 * (world_size - 1)}

# after 7b26565b
assert strip[-1] == [[4] * 4] * 4

# after e089b630
assert not any(count for count, _ in beside)

# after 5040b7a8
assert found[True]["averaged", None] < found[False]["averaged", None]

# after 4b6e674c
assert silent[0][1] == {"a": 201.0, "b": 102.0}

# after d9a54cd3
assert stuck.kind == "too slow"

# after monitored
assert "Ranks 1 failed to pass" in waited[0]

# after 90b9f384
assert equal
assert not right

# after d253338f
assert gains[0] > 1  # far more on two quiet cores; a busy machine disturbs the barriers most

# after 4d9c9394
assert error < 0.75

# after recorder
assert len(noted[0]) == len(noted[1]) + 1 or not noted[0]  # a torch that records NCCL's calls only has nothing here

# after 39a6edb4
assert (death.kind, death.rank) == ("died", 1) and abort.kind in ("died", "raised")
