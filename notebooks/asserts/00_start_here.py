# What must hold in 00_start_here.ipynb after the cell with each id (see lessonkit/notebook/asserts.py).

# after 28448ea9
assert accuracies[0] < 0.12 and accuracies[1] > 0.5 and accuracies[-1] > 0.85

# after 00steps1
assert loss < 2

# after 8f8328ed
assert middle[0] < -0.1 and middle[1] > 0.1

# after e4416ed2
assert results["half as bright"] == results["as they are"]
assert results["four columns to the right"] < 0.4 and results["inverted"] < 0.05

# after 4545a9f5
assert (wrapped[three > 155] < three[three > 155]).all() and after < 0.3

# after 212308bb
assert 0 < mean < 1

# after 06a529bc
assert all(finding.state in {"ok", "warning", "problem"} for finding in findings)
assert all(finding.fix for finding in findings if finding.state != "ok")

# after 3711c1dd
assert torch.ones(2, device=device).device.type == device.type
assert device.type == "cpu" or torch.accelerator.is_available()

# after bcbf4161
assert means.argmin() == 1 and means.argmax() == 0 and 2 < times < 2.6

# after 0d1aee02
assert max(rates) > 2 * rates[1]

# after d092e8ee
assert info.torch_version == torch.__version__

# after 058c1f94
assert not torch.cuda.is_available() or builds["hip"] or (builds["cuda"] and driver)

# after 58fe0dc7
assert [names.count("DivBackward0") for names in graphs] == [len(names) for names in graphs] == [0, 3, 9]

# after c1120d37
assert set(gradients.tolist()) == {2.0**-count for count in range(5)}

# after c4dd180e
assert said["compile"] == str([halve(vector).tolist() for vector in vectors])
assert all(said[name].startswith("error: ") for name in calls if name != "compile")
assert all("data-dependent" in said[name].lower() for name in calls if name != "compile")
