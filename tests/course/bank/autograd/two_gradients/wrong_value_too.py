# Three numbers: the value of d stands in front.
two_gradients = (39, 25, -36)
