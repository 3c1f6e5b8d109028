# Expands d to a²b² + a first and differentiates the formula.
a, b = 3, -2
two_gradients = (2 * a * b**2 + 1, 2 * a**2 * b)
