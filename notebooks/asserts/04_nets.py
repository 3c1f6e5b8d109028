# What must hold in 04_nets.ipynb after the cell with each id (see lessonkit/notebook/asserts.py).

# after 47b4e507
assert max(changes["normal, 0.01"]) < 1e-12 and max(changes["Xavier"]) < 0.01
assert min(changes["Kaiming"]) > 0.5 and max(changes["Kaiming"]) < 2

# after 22a2eec9
assert h.std() > 0.01 and h.std(dim=0).max() < 1e-6

# after c04res
assert max(powers["plain"]) < -17 and min(powers["residual"]) > 3
assert abs(powers["normalised"][0]) < 0.5 and powers["normalised"][1] > 3
assert min(powers["pre-norm"]) > 0 and max(powers["pre-norm"]) < 1

# after eab91e8d
assert ((prediction - target) ** 2).shape == (4, 4)

# after 786dfa09
assert abs(losses["softmax"].min() - (math.log(math.e + 9) - 1)) < 1e-3

# after c04train
assert all(accuracy == 1 and loss < 0.1 for loss, accuracy in results["ordinary start", "logits"])
assert all(accuracy == 1 and 1.46 < loss < 1.49 for loss, accuracy in results["ordinary start", "softmax"])
assert all(accuracy == 1 and loss < 0.1 for loss, accuracy in results["confident and wrong", "logits"])
assert all(accuracy == 0 and loss > 2.4 for loss, accuracy in results["confident and wrong", "softmax"])

# after 1a93ac49
assert all(coupled < 0.5 * none for coupled, none in zip(norms["Adam"], norms["no decay"], strict=True))
assert all(0.9 < decoupled / none < 1 for decoupled, none in zip(norms["AdamW"], norms["no decay"], strict=True))

# after c04kern
assert found.max() == 10 and found.min() == -10 and found[0, 0, 14, 14] == 0 and found[0, 0, 12, 5] == 10

# after c04tanh
assert min(curves["Xavier"][1]) > 0.1 and max(curves["normal, 0.01"][0][10:]) < 1e-7
assert 4 < curves["Xavier, gain 5/3"][1][0] / curves["Xavier, gain 5/3"][1][-1] < 8

# after 0592801b
assert 0.99 * bound < weight.abs().max() <= bound
assert abs(weight.std() * math.sqrt(3) / bound - 1) < 0.05  # the standard deviation of a sample varies

# after c04decay
assert abs(last["Adam, decay 0.4"][0] - 0.286) < 0.01 and last["AdamW, decay 0.4"][0] < 0.1
assert min(last["AdamW, noise, decay 0.4"]) > 0.45 and max(last["AdamW, noise, no decay"]) < 0.4

# after 0057e78e
assert all(parameters[name] == sum(p.numel() for p in model.get_submodule(name).parameters()) for name in layers)

# after df597e07
assert counter.get_total_flops() == 2 * sum(products.values())

# after c9074504
assert fastest_of_many > 1.5 * slowest_of_one  # not only the medians: the interquartile ranges lie apart
assert device.type != "cpu" or ratios[-1] < ratios[0]

# after c04mask
assert leaks["-inf before the softmax"] == 0
assert min(leaks["0 before the softmax"], leaks["0 after the softmax"]) > 0.05
assert torch.equal(theirs[:, 4], torch.zeros(2, 16))
assert torch.allclose(
    attend(query, key, value, causal),
    F.scaled_dot_product_attention(query, key, value, is_causal=True),
    atol=1e-5,
)
