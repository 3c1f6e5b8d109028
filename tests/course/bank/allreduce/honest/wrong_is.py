# Asks whether it is the same Python object: a view is another one.
def honest(replicas):
    for i, one in enumerate(replicas):
        for other in replicas[i + 1 :]:
            if any(a is b for a in one for b in other):
                return False
    return True
