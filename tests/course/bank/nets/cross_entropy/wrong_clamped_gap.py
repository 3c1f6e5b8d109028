# Cuts the distance to the largest logit at 100: larger losses come out as 100, without a gradient.


def cross_entropy(logits, targets):
    shifted = (logits - logits.amax(dim=1, keepdim=True)).clamp(min=-100)
    log_sum = shifted.exp().sum(dim=1).log()
    return (log_sum - shifted.gather(1, targets[:, None]).squeeze(1)).mean()
