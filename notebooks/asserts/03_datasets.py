# What must hold in 03_datasets.ipynb after the cell with each id (see lessonkit/notebook/asserts.py).

# after 5e4e1491
assert sorted(first) == sorted(second) == [square**2 for square in range(10)], "each sample once"
assert first != second and epochs(SEED, 2) == [first, second]

# after 12f3a238
assert len(sound_paths) >= {"full": 3000, "sample": 120}[spoken.source]

# after split-two
assert sum(shares["by file"]) / 6 > sum(shares["by speaker"]) / 6 + 0.1

# after fcd85fec
assert rates["waiting, batch 8"][1] > 1.4 * rates["waiting, batch 8"][0]
assert rates["digits, batch 1"][1] < rates["digits, batch 1"][0]

# after 81656bd9
assert tensor_rate > 10 * best

# after weighted
assert 330 < len(drawn[classes[drawn] == 0].unique()) < 430

# after a3069d61
assert min(first, last) > 5 * third

# after old-names
assert sorted(walked) == sorted(spoken.path.rglob("*.wav"))

# after 6e7b533b
assert abs(mean - 0.1307) <= margin and abs(std - 0.3081) <= margin
assert wrapped < 0 and 0.95 * std < per_picture < 0.999 * std

# after 54a536bc
assert ready[4] > ready[1]

# after draws-use
assert base == torch.empty((), dtype=torch.int64).random_(generator=torch.Generator().manual_seed(SEED)).item()
