# What must hold in 06_save_load.ipynb after the cell with each id (see lessonkit/notebook/asserts.py).

# after 9192c4ff
assert not marker.exists()
assert torch.__version__ >= (2, 10), "older versions can be broken into: see below"

# after 3add6fdc
assert equal == 90

# after ad11f9ea
assert lost["naive"] > 0 and lost["no sync"] == lost["atomic"] == 0

# after 137eb525
assert not path.with_name("last.pt.tmp").exists()

# after 4ffafaca
assert losses == whole.losses[:60]

# after f21e0ae8
assert sizes["whole_object"] < 1.001 * sizes["its_state"]

# after 83b2dddf
assert empty.weight.is_meta

# after 4d8c8514
assert best.name in left and left[-2:] == ["epoch09.pt", "epoch10.pt"]
