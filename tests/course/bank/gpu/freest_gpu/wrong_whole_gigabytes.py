# Cuts the figures to whole gigabytes, so 9.9 and 9.1 are a tie.


def freest_gpu(records):
    room = {i: int(free) for i, (_, free, there) in enumerate(records) if there}
    return max(room, key=room.get) if room else None
