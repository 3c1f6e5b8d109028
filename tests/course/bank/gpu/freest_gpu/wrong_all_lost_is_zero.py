# Where every GPU has disappeared, it says 0.


def freest_gpu(records):
    if not records:
        return None
    return max(range(len(records)), key=lambda i: records[i][1] if records[i][2] else float("-inf"))
