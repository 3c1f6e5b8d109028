# Shifts the caller's logits in place, behind autograd's back.


def cross_entropy(logits, targets):
    logits.data -= logits.data.amax(dim=1, keepdim=True)
    return (logits.exp().sum(dim=1).log() - logits.gather(1, targets[:, None])[:, 0]).mean()
