# No regular expression: cut after the words of the message.
def read_mm(text):
    tail = text.partition("cannot be multiplied (")[2].partition(")")[0]
    first, second = tail.split(" and ")
    batch, arrives = (int(number) for number in first.split("x"))
    features, out = (int(number) for number in second.split("x"))
    return dict(batch=batch, arrives=arrives, in_features=features, out_features=out)
