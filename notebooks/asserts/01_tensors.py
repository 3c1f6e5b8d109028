# What must hold in 01_tensors.ipynb after the cell with each id (see lessonkit/notebook/asserts.py).

# after 5ff17588
assert matrix.size() == matrix.shape and matrix.size(1) == matrix.shape[-1] == 3

# after 38ad6245
assert three.flip(0).data_ptr() != three.data_ptr() == three.T.data_ptr() == three[::2, ::2].data_ptr()

# after d05b740c
assert [view.untyped_storage().data_ptr() == table.untyped_storage().data_ptr() for view in views.values()] == [
    True, True, True, False, True,
]  # fmt: skip

# after 5a9ffdc4
assert moved.shape == torn.shape and torch.equal(moved[0], picture[:, :, 0])
assert torch.equal(torn[0].flatten(), picture[:8].flatten())

# after 134ecc63
assert torch.equal(cube[[0, 1], [2, 0]], torch.stack([cube[0, 2], cube[1, 0]]))

# after d854682d
assert parts[0].stride() == (1, 0) and parts[1].stride() == (0, 1)
assert parts[0].shape == parts[1].shape == (3, 4)

# after 2fdf09bc
assert squares.mean() == 2.5 and alike.mean() == 0

# after 43ab0006
assert result.device == weights.to(device).device

# after 43ab0003
assert abs(tenths.sum(dtype=torch.float32) - 200) < 0.5

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

# after 9e6b15f9
assert all(
    statistics.median([a / b for a, b in zip(rounds["loop over tensors"], rounds[name], strict=True)]) >= least
    for name, least in (("loop over lists", 2), ("one expression", 100), ("torch.cdist", 100))
)

# after 43ab0008
assert wrong["cdist"] > 50 and wrong["compute_mode"] <= 3 and wrong["expression"] <= 3, "10,000 away from 0"
assert (
    torch.cdist(queries, points).argmin(1) != expression(queries.double(), points.double()).argmin(1)
).sum() <= 1
