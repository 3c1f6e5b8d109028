# What must hold in 04_nets.ipynb, behind the cell with each id (see lessonkit/notebook/asserts.py).

# after 47b4e507
assert max(kept["normal, 0.01"]) < 1e-12 and max(kept["Xavier"]) < 0.01 and min(kept["Kaiming"]) > 0.1

# after eab91e8d
assert ((prediction - target) ** 2).shape == (4, 4)

# after 786dfa09
assert abs(losses["softmax"].min() - (math.log(math.e + 9) - 1)) < 1e-3

# after c04kern
assert found.max() == 10 and found.min() == -10 and found[0, 0, 14, 14] == 0 and found[0, 0, 12, 5] == 10

# after c04tanh
assert min(curves["Xavier"][1]) > 0.1 and max(curves["normal, 0.01"][0][10:]) < 1e-7

# after c04decay
assert abs(last["Adam, decay 0.4"] - 0.286) < 0.01 and last["AdamW, decay 0.4"] < 0.1
assert last["AdamW, noisy gradients"] > 0.2

# after df597e07
assert counter.get_total_flops() == 2 * sum(products.values())

# after c9074504
assert fastest_of_many > 1.5 * slowest_of_one  # not only the medians: the middle halves lie apart
assert device.type != "cpu" or ratios[-1] < ratios[0]
