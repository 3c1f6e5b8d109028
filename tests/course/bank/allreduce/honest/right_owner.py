# A dictionary from address to replica.
def honest(replicas):
    owner = {}
    for number, replica in enumerate(replicas):
        for tensor in replica:
            if owner.setdefault(tensor.untyped_storage().data_ptr(), number) != number:
                return False
    return True
