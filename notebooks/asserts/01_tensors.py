# What must hold in 01_tensors.ipynb, behind the cell with each id (see lessonkit/notebook/asserts.py).

# after 5ff17588
assert matrix.size() == matrix.shape and matrix.size(1) == matrix.shape[-1] == 3

# after d854682d
assert parts[0].stride() == (1, 0) and parts[1].stride() == (0, 1)

# after 63acdcbb
assert torch.get_default_dtype() == before == torch.float32

# after 3f7d59fb
assert isinstance(torch.ones(2), torch.FloatTensor) and there.type() == "torch.cuda.FloatTensor"

# after 1debd099
assert len(torch.arange(1, 1.3, 0.1)) == 4 and len(torch.arange(0, 1, 0.25)) == 4

# after 1a784175
assert draws["rand"].min() >= 0 and draws["rand"].max() < 1 and draws["randint(0, 10)"].max() == 9

# after dca7804d
assert (first == 3 * labels[another]).sum() < 10
