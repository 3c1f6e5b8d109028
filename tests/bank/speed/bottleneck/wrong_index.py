# Gives the row's number, not its name.
bottleneck = 0
