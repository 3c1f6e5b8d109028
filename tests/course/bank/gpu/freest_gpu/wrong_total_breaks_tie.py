# Of several with equally much it takes the largest GPU.


def freest_gpu(records):
    here = [(free, total, -i) for i, (total, free, there) in enumerate(records) if there]
    return -max(here)[2] if here else None
