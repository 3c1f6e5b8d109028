# Cuts the logits at plus and minus ten thousand.
import torch


def cross_entropy(logits, targets):
    cut = logits.clamp(-1e4, 1e4)
    gaps = cut - cut.amax(dim=1, keepdim=True)
    return (gaps.logsumexp(dim=1) - gaps[torch.arange(len(gaps)), targets]).mean()
