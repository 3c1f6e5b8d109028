# What must hold in 07_finetune.ipynb after the cell with each id (see lessonkit/notebook/asserts.py).

# after b14b5d5c
assert source_accuracy > 0.95
assert (nines == 4).float().mean() > 0.5

# after ca21977b
assert min(final[way] for way in ways[1:]) > final["from scratch"] + 0.05

# after 55e6fe17
assert all(torch.equal(after["frozen"][name], after["lr 0"][name]) for name in after["frozen"])

# after f7a2000f
assert learned > 0.9

# after f7a40002
assert count_moves(before, model).startswith("0 of 29 parameters, 0 of 0 buffers")

# after 4e4978b4
assert lead(10) > lead(250) + 0.05 and lead(250) < 0.04

# after 6cbaa5b5
assert used["frozen"] < 0.5 * used["lr 0"] and abs(used["lr 0"] - used["all layers"]) < 0.1

# after cb98c3c6
assert all(a.split(".")[-1] == b.split(".")[-1] for a, b in pairs)

# after bfb51167
assert [names[answer] for answer in answers] == ["palace", "daisy"]
