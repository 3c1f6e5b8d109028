# Multiplies with the own factor, not with the other one.
a, b = 3, -2
c = a * b
grad_c = c + c
two_gradients = (grad_c * a + 1, grad_c * b)
