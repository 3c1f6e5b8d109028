# What must hold in 05_training.ipynb after the cell with each id (see lessonkit/notebook/asserts.py).

# after 492f2cfc
assert abs(loss_fn(model(inputs), targets).item() - math.log(10)) < 0.1

# after 60abd5d3
assert right[-1] < 0.05 and wrong[-1] > 2

# after 0e35586b
assert published_accuracy < 0.9 and distance < (0.02 if PROFILE == "quick" else 0.2)

# after 6fa75949
assert final[1e-4] > 2.2 and final[1e-1] < 0.8 and sorted(rates, key=final.get) == rates[::-1]

# after 716a6536
assert our_accuracy >= (0.99 if data_set.source == "full" else 0.97)

# after 4cc62551
assert plain_train[-1] < 0.05 and val_losses[-1] > 1.05 * min(val_losses)
assert val_accuracies[-1] > val_accuracies[turn] - 0.01

# after 8498ab68
assert each[wrong].sum() > 0.6 * each.sum()

# after 2015fcd9
assert ablation["+ OneCycle"] > ablation["rate 0.05"] > 0.3

# after aec447f0
assert ratios[2] > 3

# after 04a08e8f
assert 0.005 < steepest < 0.5 and min(found_losses) < 0.8 * found_losses[0]

# after b713e121
assert ends["AdamW recipe"] < 1 and ends["SGD, rate 0.5, clipped"] < 1.5
assert not ends["SGD, rate 0.5"] < 1.8  # NaN, too, is no lower

# after 7f01fe78
assert sizes[256, 0.05] < sizes[32, 0.05]

# after da612b00
assert apart < (1e-5 if device.type == "cpu" else 1e-2)

# after 949b806e
assert sum(lowest["1200 pictures"]) < sum(lowest["none"])

# after 4e2bdfc9
assert matrix.sum() == len(test_set) and abs(matrix.trace() / len(test_set) - our_accuracy) < 1e-3

# after 46d551da
assert found == ["small_run"]

# after 256881ef
assert sum(averaged[-5:]) > sum(raw[-5:]) - 0.01
