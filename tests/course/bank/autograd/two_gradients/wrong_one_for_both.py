# Adds the 1 of the direct edge to b as well.
two_gradients = (25, -35)
