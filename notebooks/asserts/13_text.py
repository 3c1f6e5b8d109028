# What must hold in 13_text.ipynb after the cell with each id (see lessonkit/notebook/asserts.py).

# after influence-run
assert (later == 0).all()

# after first-loss
assert abs(first - math.log(len(alphabet))) < 0.3

# after train-run
assert live_bits > tables[3]

# after load
assert abs(trained_bits - float(recipe["held_out_bits"])) < 0.05

# after speed
assert ratio > 1.5 or device.type != "cpu"  # an accelerator works on another clock

# after faults-run
assert all((bits[fault] > right + 1) == (fault != "prefill unmasked") for fault in FAULTS)

# after unmasked-run
assert cheat_bits < 1.0

# after bytes-run
assert counted == cache_bytes(4, 4, 16, 512, 4)

# after int8-run
assert lost[8] < 0.01 < lost[4] < lost[3]

# after lora-run
assert gains["chapter 11"] > 0.1 and gains["topics"] < 0

# after export
assert generate(loaded, PROMPT, 60, SEED) == drawn[:74]
