# log_softmax by the name that it has inside.
import torch


def cross_entropy(logits, targets):
    log_probabilities = torch.ops.aten._log_softmax(logits, 1, False)
    return -log_probabilities[torch.arange(len(targets)), targets].mean()
