# The two numbers as floats, worked out on paper.
two_gradients = 25.0, -36.0
