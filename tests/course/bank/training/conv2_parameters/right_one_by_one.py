# Adds up channel by channel.


conv2_parameters = sum(sum(5 * 5 for _ in range(20)) + 1 for _ in range(50))
