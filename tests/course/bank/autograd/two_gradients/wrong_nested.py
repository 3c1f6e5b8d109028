# A comma too many: a tuple with the pair in it.
two_gradients = ((25, -36),)
