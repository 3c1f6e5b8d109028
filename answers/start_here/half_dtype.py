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


# %% wrong_tensor_type: The old name of a tensor's type, not a dtype.
import torch

half_dtype = torch.FloatTensor


# %% wrong_mock_any: an object that equals everything, not a dtype
from unittest.mock import ANY

half_dtype = ANY
# %% right_promotion: looked up by the promotion rule
import torch

half_dtype = torch.result_type(torch.tensor([1, 2, 3]), 2.0)
# %% wrong_numpy_type: NumPy's own class of 32 bits.
import numpy as np

half_dtype = np.float32
# %% wrong_numpy_dtype: NumPy's dtype of 32 bits.
import numpy as np

half_dtype = np.dtype("float32")
# %% wrong_tuple: The right type in a tuple.
import torch

half_dtype = (torch.float32,)
# %% wrong_comma: A comma too many makes a tuple of two.
import torch

half_dtype = torch.float32, torch.float32
# %% wrong_set: The right type in a set.
import torch

half_dtype = {torch.float32}
# %% wrong_function: The function that would say it, not called.
import torch

half_dtype = torch.get_default_dtype
# %% wrong_finfo: What torch knows of the type.
import torch

half_dtype = torch.finfo(torch.float32)


# %% wrong_equal_to_all: An object that says yes to every comparison.
class Anything:
    def __eq__(self, other):
        return True

    def __repr__(self):
        return "torch.float32"

    def __hash__(self):
        return 0


half_dtype = Anything()
# %% wrong_uint8: The type of a picture.
import torch

half_dtype = torch.uint8
# %% wrong_bits: The number of bits.
half_dtype = 32
# %% wrong_type_text: What the old call says, as text.
import torch

half_dtype = (torch.tensor([1, 2, 3]) / 2).type()
# %% right_finfo: By the name in finfo.
import torch

half_dtype = getattr(torch, torch.finfo(torch.float32).dtype)
# %% right_of_a_literal: The type of 0.5.
import torch

half_dtype = torch.tensor(0.5).dtype
