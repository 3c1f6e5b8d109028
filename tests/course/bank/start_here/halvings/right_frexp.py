# Reads the exponent from the number: m · 2^e with m from a half to one.
import torch


def halvings(sizes):
    """How often each of the sizes, (N,) float32, is halved until it is at most 1: (N,) int64."""
    mantissa, exponent = torch.frexp(sizes)
    return (exponent.long() - (mantissa == 0.5).long()).clamp(min=0)
