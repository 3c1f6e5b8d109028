# %% right_counted: Counts the numbers of a layer made for it.
import torch

conv2_parameters = sum(p.numel() for p in torch.nn.Conv2d(20, 50, kernel_size=5).parameters())


# %% right_one_by_one: Adds up channel by channel.
conv2_parameters = sum(sum(5 * 5 for _ in range(20)) + 1 for _ in range(50))


# %% right_per_channel: Per output channel: the weights of one window, and its bias.
conv2_parameters = 50 * (20 * 5**2 + 1)


# %% right_product: The product of the weight's shape, and the bias's.
import math

import torch

conv2_parameters = math.prod([50, 20, 5, 5]) + math.prod([50])


# %% wrong_bias_inside: Puts the bias inside the bracket: it is multiplied by all the rest.
conv2_parameters = 20 * 5 * 5 * (50 + 1)


# %% wrong_bias_per_kernel: One bias for each of the 20 times 50 kernels.
conv2_parameters = 50 * 20 * (5 * 5 + 1)


# %% wrong_channels_added: Adds the channels instead of multiplying them.
conv2_parameters = (20 + 50) * 5 * 5 + 50


# %% wrong_function: A function that would compute the number.
def conv2_parameters():
    return 20 * 50 * 25 + 50


# %% wrong_input_bias_and_output_bias: Both channel counts get biases.
conv2_parameters = 20 * 50 * 5 * 5 + 50 + 20


# %% wrong_one_bias: A single bias for the whole layer.
import math

import torch

conv2_parameters = math.prod((50, 20, 5, 5)) + 1


# %% wrong_output_pixels: A bias for each of the 8 times 8 places too.
conv2_parameters = 50 * 20 * 25 + 50 * 8 * 8


# %% wrong_pair: Weights and biases as a pair, not added.
conv2_parameters = (20 * 50 * 5 * 5, 50)


# %% wrong_tensors: Counts the tensors instead of their numbers.
import torch

conv2_parameters = len(list(torch.nn.Conv2d(20, 50, kernel_size=5).parameters()))


# %% wrong_text: The number as text, as the cell printed it.
conv2_parameters = "25,050"


# %% wrong_thousands: A point between the thousands makes a number of 25.
conv2_parameters = 25.050


# %% wrong_window_side: Counts one side of the window only.
conv2_parameters = 50 * (20 * 5 + 1)
