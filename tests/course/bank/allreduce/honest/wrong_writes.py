# Writes into the replicas to find out, and does not put the numbers back.
def honest(replicas):
    for i, one in enumerate(replicas):
        before = [[t.clone() for t in other] for other in replicas[:i]]
        for tensor in one:
            tensor.add_(1)
        for other, old in zip(replicas[:i], before):
            if any((a != b).any() for a, b in zip(other, old)):
                return False
    return True
