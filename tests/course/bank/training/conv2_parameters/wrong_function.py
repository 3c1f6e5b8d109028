# A function that would compute the number.


def conv2_parameters():
    return 20 * 50 * 25 + 50
