# Names the reading of a value, which waits but does no work.
bottleneck = "aten::item"
