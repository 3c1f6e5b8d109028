# Looks at the first half of each replica's tensors.
def honest(replicas):
    owner = {}
    for number, replica in enumerate(replicas):
        for tensor in replica[: max(1, len(replica) // 2)]:
            if owner.setdefault(tensor.untyped_storage().data_ptr(), number) != number:
                return False
    return True
