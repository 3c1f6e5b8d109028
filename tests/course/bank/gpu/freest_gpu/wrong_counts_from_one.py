# Numbers the GPUs from 1.


def freest_gpu(records):
    here = [(free, -i) for i, (_, free, there) in enumerate(records, 1) if there]
    return -max(here)[1] if here else None
