# Names the row with the most calls.
bottleneck = "aten::add_"
