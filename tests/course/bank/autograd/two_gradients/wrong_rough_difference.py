# One-sided differences with a step of 0.1, and so only near the slopes.
def d(a, b):
    return (a * b) ** 2 + a


two_gradients = ((d(3.1, -2) - d(3, -2)) / 0.1, (d(3, -1.9) - d(3, -2)) / 0.1)
