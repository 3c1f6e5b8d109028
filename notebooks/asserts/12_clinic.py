# What must hold in 12_clinic.ipynb after the cell with each id (see lessonkit/notebook/asserts.py).

# after c12anat1
assert torchs.count(False) == 2 and "linear.py" in frames[-1].filename

# after 8775efb3
assert found[0].case == "mm_shapes" and found[0].line.startswith("train.py, line 19")

# after ab9dc361
assert F.cross_entropy(logits, targets).isfinite()

# after c12heart
assert losses[0] < 0.1 and losses[1] > 1.4 and losses[2] > 1.4

# after c12curve
assert min(curves[0]) > 2 and max(curves[1]) > 2.7 and curves[2][-1] < 0.8 and min(curves[3]) > 1.46

# after 80ff1053
assert loss > 2.1

# after cc6da958
assert drawn[0] != drawn[1]

# after 15667f69
assert set(parts) == {"PICTURES", "MODEL"}  # which leads is told by a quiet machine only

# after 2c17ce65
assert diagnose(published)[0].case == "device_assert"

# after fe8b4758
assert sorted(case.number for case in cases if case.number) == list(range(1, 32))
