# A NumPy array instead of a pair of Python numbers.
import numpy

two_gradients = numpy.array([25.0, -36.0])
