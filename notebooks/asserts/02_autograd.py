# What must hold in 02_autograd.ipynb after the cell with each id (see lessonkit/notebook/asserts.py).

# after 55acbbde
assert abs(paths[True][-1]) < 1e-4 and max(map(abs, paths[False][60:])) > 0.95

# after 32a23349
assert (w + for_inference).requires_grad  # a sum keeps nothing

# after 57d51909
assert right[walk_back] == num_formulas and right[hasty] < num_formulas / 2 and min(used.values()) >= 200

# after 939d440b
assert right >= 78

# after a2-layer-train
assert num_right >= 78
