# The pair as text, between quotation marks.
two_gradients = "(25, -36)"
