# %% right_alias: Its other name.
import torch

half_dtype = torch.float


# %% right_asked: Asks the result of the division.
import torch

half_dtype = (torch.tensor([1, 2, 3]) / 2).dtype


# %% right_default: The type that PyTorch takes by default.
import torch

half_dtype = torch.get_default_dtype()


# %% wrong_bfloat16: The short float of the training guides.
import torch

half_dtype = torch.bfloat16


# %% wrong_bool: A yes: it is a fraction.
import torch

half_dtype = True


# %% wrong_complex: A complex type, which holds fractions as well.
import torch

half_dtype = torch.complex64


# %% wrong_half: float16, since a half sounds like half precision.
import torch

half_dtype = torch.float16


# %% wrong_instance: A number of the right type instead of the type.
import torch

half_dtype = torch.ones((), dtype=torch.float32)


# %% wrong_int32: Whole numbers of 32 bits, as in C.
import torch

half_dtype = torch.int32


# %% wrong_number: The value of one half, not its type.
import torch

half_dtype = 0.5


# %% wrong_python_float: Python's own float type.
import torch

half_dtype = float


# %% wrong_result: The divided tensor itself instead of its type.
import torch

half_dtype = torch.tensor([1, 2, 3]) / 2


# %% wrong_tensor_type: The old name of a tensor's type, not a dtype.
import torch

half_dtype = torch.FloatTensor


# %% wrong_text: The right type, written as text.
import torch

half_dtype = "torch.float32"
