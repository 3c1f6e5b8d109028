# Counts a lost GPU as 0 free, which ties with a full one.


def freest_gpu(records):
    if not any(record[2] for record in records):
        return None
    room = [free * there for _, free, there in records]
    return room.index(max(room))
