# Lets what reaches c go to a unchanged on the side of the direct edge.
a, b = 3, -2
c = a * b
two_gradients = (2 * c * b + 2 * c, 2 * c * a)
