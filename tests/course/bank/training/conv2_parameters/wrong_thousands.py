# A point between the thousands makes a number of 25.


conv2_parameters = 25.050
