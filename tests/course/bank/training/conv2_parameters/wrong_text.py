# The number as text, as the cell printed it.


conv2_parameters = "25,050"
