# %% right_by_formula: Expands d to a²b² + a first and differentiates the formula.
a, b = 3, -2
two_gradients = (2 * a * b**2 + 1, 2 * a**2 * b)


# %% right_edges_added: Walks back edge by edge and adds where paths meet.
a, b = 3, -2
c = a * b
arrived = {"a": 1, "b": 0, "c": 0}
for _ in range(2):
    arrived["c"] += c
arrived["a"] += arrived["c"] * b
arrived["b"] += arrived["c"] * a
two_gradients = (arrived["a"], arrived["b"])


# %% right_floats: The two numbers as floats, worked out on paper.
two_gradients = 25.0, -36.0


# %% right_read_from_torch: Lets PyTorch do it and turns the result into Python numbers.
import torch

leaves = [torch.tensor(value, dtype=torch.float64, requires_grad=True) for value in (3.0, -2.0)]
c = leaves[0] * leaves[1]
two_gradients = tuple(g.item() for g in torch.autograd.grad(c * c + leaves[0], leaves))


# %% right_tensors: Two tensors of one number each, as backward leaves them.
import torch

a = torch.tensor(3.0, requires_grad=True)
b = torch.tensor(-2.0, requires_grad=True)
c = a * b
(c * c + a).backward()
two_gradients = (a.grad, b.grad)


# %% wrong_array: A NumPy array instead of a pair of Python numbers.
import numpy

two_gradients = numpy.array([25.0, -36.0])


# %% wrong_c_also_added: Lets what reaches c go to a unchanged on the side of the direct edge.
a, b = 3, -2
c = a * b
two_gradients = (2 * c * b + 2 * c, 2 * c * a)


# %% wrong_nested: A comma too many: a tuple with the pair in it.
two_gradients = ((25, -36),)


# %% wrong_one_for_both: Adds the 1 of the direct edge to b as well.
two_gradients = (25, -35)


# %% wrong_own_factor: Multiplies with the own factor, not with the other one.
a, b = 3, -2
c = a * b
grad_c = c + c
two_gradients = (grad_c * a + 1, grad_c * b)


# %% wrong_rough_difference: One-sided differences with a step of 0.1, and so only near the slopes.
def d(a, b):
    return (a * b) ** 2 + a


two_gradients = ((d(3.1, -2) - d(3, -2)) / 0.1, (d(3, -1.9) - d(3, -2)) / 0.1)


# %% wrong_sign_of_c: Takes c for 6: the minus sign of b is lost on the way.
a, b, c = 3, -2, 6
two_gradients = (2 * c * b + 1, 2 * c * a)


# %% wrong_text: The pair as text, between quotation marks.
two_gradients = "(25, -36)"


# %% wrong_twice_backward: Ran backward a second time, and the gradients added up.
import torch

a = torch.tensor(3.0, requires_grad=True)
b = torch.tensor(-2.0, requires_grad=True)
for _ in range(2):
    d = (a * b) ** 2 + a
    d.backward()
two_gradients = (a.grad.item(), b.grad.item())


# %% wrong_value_too: Three numbers: the value of d stands in front.
two_gradients = (39, 25, -36)


# %% wrong_sign_b: Sign of b's gradient lost
two_gradients = (25, 36)


# %% wrong_sign_a: Sign slip in a's path
two_gradients = (-23, -36)


# %% wrong_three: Three numbers, no pair
two_gradients = (25, -36, -12)


# %% right_ints: Two plain ints
two_gradients = (25, -36)


# %% right_floats_blind: Floats by the chain rule
a, b = 3.0, -2.0
c = a * b
two_gradients = (2 * c * b + 1, 2 * c * a)


# %% right_torch: Let torch compute, item() each
import torch

a, b = (torch.tensor(v, requires_grad=True) for v in (3.0, -2.0))
c = a * b
(c * c + a).backward()
two_gradients = tuple(t.grad.item() for t in (a, b))


# %% right_list: A list of two.
two_gradients = [25, -36]


# %% right_numpy_numbers: Two of NumPy's numbers.
import numpy

two_gradients = tuple(numpy.array([25.0, -36.0]))


# %% wrong_set: A set has no order.
two_gradients = {25, -36}


# %% wrong_dict: A dict, by name.
two_gradients = {"a": 25, "b": -36}


# %% wrong_complex: One complex number.
two_gradients = 25 - 36j


# %% wrong_texts: A pair of texts.
two_gradients = ("25", "-36")


# %% wrong_nearly: Off in the fourth digit.
two_gradients = (25.01, -36.01)
