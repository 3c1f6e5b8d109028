# %% right_kahn: Counts how many edges have still to deliver, as PyTorch does.
def backward(result):
    owed, waiting, seen = {}, [result], {id(result)}
    while waiting:
        for source, _ in waiting.pop().made_from:
            owed[id(source)] = owed.get(id(source), 0) + 1
            if id(source) not in seen:
                seen.add(id(source))
                if source.made_from:
                    source.grad = 0.0
                waiting.append(source)
    result.grad = 1.0
    ready = [result]
    while ready:
        value = ready.pop()
        for source, slope in value.made_from:
            source.grad += slope * value.grad
            owed[id(source)] -= 1
            if owed[id(source)] == 0:
                ready.append(source)


# %% right_topological_list: The build_topo that everybody knows, with a set.
def backward(result):
    topo, visited = [], set()

    def build(v):
        if v in visited:
            return
        visited.add(v)
        for child, _ in v.made_from:
            build(child)
        topo.append(v)

    build(result)
    for v in topo:
        if v.made_from:
            v.grad = 0
    result.grad = 1
    for v in topo[::-1]:
        for child, slope in v.made_from:
            child.grad = child.grad + v.grad * slope


# %% right_by_height: The longest way to a leaf, remembered; higher ones first.
def backward(result):
    heights, values = {}, {}

    def height(value):
        if value not in heights:
            heights[value] = 1 + max((height(source) for source, _ in value.made_from), default=-1)
            values[value] = None
        return heights[value]

    height(result)
    for value in values:
        if value.made_from:
            value.grad = 0.0
    result.grad = 1.0
    for value in sorted(values, key=heights.get, reverse=True):
        for source, slope in value.made_from:
            source.grad += value.grad * slope


# %% right_table_beside: Gathers in a dict of its own, by a stack without recursion, and writes at the end.
def backward(result):
    order, done, stack = [], set(), [(result, False)]
    while stack:
        value, ready = stack.pop()
        if ready:
            order.append(value)
        elif id(value) not in done:
            done.add(id(value))
            stack.append((value, True))
            stack += [(source, False) for source, _ in value.made_from]
    table = {id(value): 0.0 for value in order}
    table[id(result)] = 1.0
    while order:
        value = order.pop()
        for source, slope in value.made_from:
            table[id(source)] += slope * table[id(value)]
        if value.made_from:
            value.grad = table[id(value)]
        else:
            value.grad += table[id(value)]


# %% right_rounds: Raises depths until nothing moves; slow for long chains, but not by path.
def backward(result):
    depth = {result: 0}
    changed = [result]
    while changed:
        later = {}
        for value in changed:
            for source, _ in value.made_from:
                if depth.get(source, -1) < depth[value] + 1:
                    depth[source] = depth[value] + 1
                    later[source] = None
        changed = list(later)
    for value in depth:
        if value.made_from:
            value.grad = 0.0
    result.grad = 1.0
    for value in sorted(depth, key=lambda value: depth[value]):
        for source, slope in value.made_from:
            source.grad += slope * value.grad


# %% wrong_every_path: Right, but walks every path: it never ends on sixty doublings.
def backward(result):
    def clear(value, seen):
        if value in seen:
            return
        seen.add(value)
        if value.made_from:
            value.grad = 0.0
        for source, _ in value.made_from:
            clear(source, seen)

    def walk(value, arriving):
        value.grad += arriving
        for source, slope in value.made_from:
            walk(source, arriving * slope)

    clear(result, set())
    walk(result, 1.0)


# %% wrong_first_met: Breadth first with a set: each once, in the order of meeting.
def backward(result):
    seen, waiting = {result}, [result]
    result.grad = 1.0
    while waiting:
        value = waiting.pop(0)
        for source, slope in value.made_from:
            source.grad += slope * value.grad
            if source not in seen:
                seen.add(source)
                waiting.append(source)


# %% wrong_depth_first_set: Depth first, each once, handing on as soon as it is reached.
def backward(result):
    seen = set()

    def visit(value):
        if value in seen:
            return
        seen.add(value)
        for source, slope in value.made_from:
            source.grad += slope * value.grad
            visit(source)

    result.grad = 1.0
    visit(result)


# %% wrong_preorder: Lists values before their sources, without waiting for the other uses.
def backward(result):
    order, seen = [], set()

    def place(value):
        if value not in seen:
            seen.add(value)
            order.append(value)
            if value.made_from:
                value.grad = 0.0
            for source, _ in value.made_from:
                place(source)

    place(result)
    result.grad = 1.0
    for value in order:
        for source, slope in value.made_from:
            source.grad += slope * value.grad


# %% wrong_shortest_distance: Orders by the shortest way from the result: a longer way arrives too late.
def backward(result):
    distance, waiting = {result: 0}, [result]
    for value in waiting:
        for source, _ in value.made_from:
            if source not in distance:
                distance[source] = distance[value] + 1
                waiting.append(source)
    for value in distance:
        if value.made_from:
            value.grad = 0.0
    result.grad = 1.0
    for value in sorted(distance, key=distance.get):
        for source, slope in value.made_from:
            source.grad += slope * value.grad


# %% wrong_overwrites: Assigns where it should add.
def backward(result):
    order, seen = [], set()

    def place(value):
        if value not in seen:
            seen.add(value)
            for source, _ in value.made_from:
                place(source)
            order.append(value)

    place(result)
    result.grad = 1.0
    for value in reversed(order):
        for source, slope in value.made_from:
            source.grad = slope * value.grad


# %% wrong_sources_as_set: Hands each source its share once, as if c * c used c once.
def backward(result):
    order, seen = [], set()

    def place(value):
        if value not in seen:
            seen.add(value)
            for source, _ in value.made_from:
                place(source)
            if value.made_from:
                value.grad = 0.0
            order.append(value)

    place(result)
    result.grad = 1.0
    for value in reversed(order):
        for source, slope in dict(value.made_from).items():
            source.grad += slope * value.grad


# %% wrong_everything_cleared: Starts the leaves from 0 as well.
def backward(result):
    order, seen = [], set()

    def place(value):
        if value not in seen:
            seen.add(value)
            for source, _ in value.made_from:
                place(source)
            order.append(value)

    place(result)
    for value in order:
        value.grad = 0.0
    order[-1].grad = 1.0
    for value in reversed(order):
        for source, slope in value.made_from:
            source.grad += slope * value.grad


# %% wrong_old_grads_stay: Clears nothing: a second call hands on what the first has left.
def backward(result):
    order, seen = [], set()

    def place(value):
        if id(value) not in seen:
            seen.add(id(value))
            for source, _ in value.made_from:
                place(source)
            order.insert(0, value)

    place(result)
    result.grad = 1.0
    for value in order:
        for source, slope in value.made_from:
            source.grad += slope * value.grad


# %% wrong_result_adds_one: The result adds 1 to what an earlier call left.
def backward(result):
    order, seen = [], set()

    def place(value):
        if value not in seen:
            seen.add(value)
            for source, _ in value.made_from:
                place(source)
            if value.made_from and value is not result:
                value.grad = 0.0
            order.append(value)

    place(result)
    result.grad += 1.0
    for value in reversed(order):
        for source, slope in value.made_from:
            source.grad += slope * value.grad


# %% wrong_frees_the_graph: Lets go of made_from as it walks, as PyTorch does: but only .grad may change.
def backward(result):
    order, seen = [], set()

    def place(value):
        if value not in seen:
            seen.add(value)
            for source, _ in value.made_from:
                place(source)
            if value.made_from:
                value.grad = 0.0
            order.append(value)

    place(result)
    result.grad = 1.0
    for value in reversed(order):
        for source, slope in value.made_from:
            source.grad += slope * value.grad
        value.made_from = ()


# %% wrong_equal_numbers: Takes values of equal data for the same value.
def backward(result):
    order, seen = [], set()

    def place(value):
        if value.data not in seen:
            seen.add(value.data)
            for source, _ in value.made_from:
                place(source)
            if value.made_from:
                value.grad = 0.0
            order.append(value)

    place(result)
    result.grad = 1.0
    for value in reversed(order):
        for source, slope in value.made_from:
            source.grad += slope * value.grad


# %% wrong_data_times: Multiplies by the source's data instead of the slope.
def backward(result):
    order, seen = [], set()

    def place(value):
        if value not in seen:
            seen.add(value)
            for source, _ in value.made_from:
                place(source)
            if value.made_from:
                value.grad = 0.0
            order.append(value)

    place(result)
    result.grad = 1.0
    for value in reversed(order):
        for source, _ in value.made_from:
            source.grad += source.data * value.grad


# %% wrong_leaves_only: The leaves are right; the values between are set to 0 when they have handed on.
def backward(result):
    order, seen = [], set()

    def place(value):
        if value not in seen:
            seen.add(value)
            for source, _ in value.made_from:
                place(source)
            if value.made_from:
                value.grad = 0.0
            order.append(value)

    place(result)
    result.grad = 1.0
    for value in reversed(order):
        for source, slope in value.made_from:
            source.grad += slope * value.grad
        if value.made_from:
            value.grad = 0.0


# %% wrong_two_operands: Looks at the first source only.
def backward(result):
    order, seen = [], set()

    def place(value):
        if value not in seen:
            seen.add(value)
            for source, _ in value.made_from[:1]:
                place(source)
            if value.made_from:
                value.grad = 0.0
            order.append(value)

    place(result)
    result.grad = 1.0
    for value in reversed(order):
        for source, slope in value.made_from[:1]:
            source.grad += slope * value.grad


# %% wrong_zero_means_not_yet: Skips a source whose gradient is not 0 any more, to visit each once.
def backward(result):
    result.grad = 1.0
    waiting = [result]
    while waiting:
        value = waiting.pop()
        for source, slope in value.made_from:
            first = source.grad == 0
            source.grad += slope * value.grad
            if first:
                waiting.append(source)


# %% wrong_by_address: Takes the order of the addresses for the order of making.
def backward(result):
    seen, waiting = {result}, [result]
    for value in waiting:
        for source, _ in value.made_from:
            if source not in seen:
                seen.add(source)
                waiting.append(source)
    for value in waiting:
        if value.made_from:
            value.grad = 0.0
    result.grad = 1.0
    for value in sorted(waiting, key=id, reverse=True):
        for source, slope in value.made_from:
            source.grad += slope * value.grad


# %% wrong_marks_left: Marks the values it has seen, and leaves the marks: the second call sees nothing.
def backward(result):
    order = []

    def place(value):
        if not hasattr(value, "seen"):
            value.seen = True
            for source, _ in value.made_from:
                place(source)
            if value.made_from:
                value.grad = 0.0
            order.append(value)

    place(result)
    result.grad = 1.0
    for value in reversed(order):
        for source, slope in value.made_from:
            source.grad += slope * value.grad


# %% wrong_one_leaf_at_a_time: Forwards, once for each leaf: the leaves are right, the values between stay empty.
def backward(result):
    def leaves(value, found, seen):
        if value in seen:
            return found
        seen.add(value)
        if not value.made_from:
            found.append(value)
        for source, _ in value.made_from:
            leaves(source, found, seen)
        return found

    for leaf in leaves(result, [], set()):
        known = {}

        def slope_of(value):
            if value is leaf:
                return 1.0
            if value not in known:
                known[value] = sum(slope * slope_of(source) for source, slope in value.made_from)
            return known[value]

        leaf.grad += slope_of(result)
    result.grad = 1.0


# %% wrong_path_by_path: Right numbers, but every path is walked by itself, so sixty doublings never end
def edges(v):
    """(value, slope) of every edge, whichever way made_from stores them."""
    out = []
    for k, e in enumerate(v.made_from):
        if hasattr(e, "made_from"):
            names = list(getattr(v, "__dict__", {})) + list(getattr(type(v), "__slots__", ()))
            side = [getattr(v, n) for n in names if n not in ("made_from", "grad")]
            side = [s for s in side if isinstance(s, (tuple, list)) and len(s) == len(v.made_from)]
            out.append((e, side[0][k]))
        else:
            p, s = e
            out.append((p, s) if hasattr(p, "made_from") else (s, p))
    return out


def backward(result):
    seen = set()

    def clear(v):
        if id(v) in seen:
            return
        seen.add(id(v))
        if v.made_from:
            v.grad = 0.0
        for p, _ in edges(v):
            clear(p)

    clear(result)

    def go(v, arriving):
        v.grad += arriving
        for p, s in edges(v):
            go(p, arriving * s)

    go(result, 1.0)


# %% wrong_breadth_first: Hands on in breadth-first order, before everything has arrived when paths differ in length
def edges(v):
    """(value, slope) of every edge, whichever way made_from stores them."""
    out = []
    for k, e in enumerate(v.made_from):
        if hasattr(e, "made_from"):
            names = list(getattr(v, "__dict__", {})) + list(getattr(type(v), "__slots__", ()))
            side = [getattr(v, n) for n in names if n not in ("made_from", "grad")]
            side = [s for s in side if isinstance(s, (tuple, list)) and len(s) == len(v.made_from)]
            out.append((e, side[0][k]))
        else:
            p, s = e
            out.append((p, s) if hasattr(p, "made_from") else (s, p))
    return out


def backward(result):
    order, seen = [result], {id(result)}
    for v in order:
        for p, _ in edges(v):
            if id(p) not in seen:
                seen.add(id(p))
                order.append(p)
    for v in order:
        if v.made_from:
            v.grad = 0.0
    result.grad = 1.0
    for v in order:
        for p, s in edges(v):
            p.grad += s * v.grad


# %% wrong_inner_kept: Inner values keep what an earlier call left
def edges(v):
    """(value, slope) of every edge, whichever way made_from stores them."""
    out = []
    for k, e in enumerate(v.made_from):
        if hasattr(e, "made_from"):
            names = list(getattr(v, "__dict__", {})) + list(getattr(type(v), "__slots__", ()))
            side = [getattr(v, n) for n in names if n not in ("made_from", "grad")]
            side = [s for s in side if isinstance(s, (tuple, list)) and len(s) == len(v.made_from)]
            out.append((e, side[0][k]))
        else:
            p, s = e
            out.append((p, s) if hasattr(p, "made_from") else (s, p))
    return out


def topo(result):
    order, seen = [], set()

    def visit(v):
        if id(v) in seen:
            return
        seen.add(id(v))
        for p, _ in edges(v):
            visit(p)
        order.append(v)

    visit(result)
    return order[::-1]


def backward(result):
    order = topo(result)
    result.grad = 1.0
    for v in order:
        for p, s in edges(v):
            p.grad += s * v.grad


# %% wrong_leaves_cleared: Leaves start from 0 too instead of adding
def edges(v):
    """(value, slope) of every edge, whichever way made_from stores them."""
    out = []
    for k, e in enumerate(v.made_from):
        if hasattr(e, "made_from"):
            names = list(getattr(v, "__dict__", {})) + list(getattr(type(v), "__slots__", ()))
            side = [getattr(v, n) for n in names if n not in ("made_from", "grad")]
            side = [s for s in side if isinstance(s, (tuple, list)) and len(s) == len(v.made_from)]
            out.append((e, side[0][k]))
        else:
            p, s = e
            out.append((p, s) if hasattr(p, "made_from") else (s, p))
    return out


def topo(result):
    order, seen = [], set()

    def visit(v):
        if id(v) in seen:
            return
        seen.add(id(v))
        for p, _ in edges(v):
            visit(p)
        order.append(v)

    visit(result)
    return order[::-1]


def backward(result):
    order = topo(result)
    for v in order:
        v.grad = 0.0
    result.grad = 1.0
    for v in order:
        for p, s in edges(v):
            p.grad += s * v.grad


# %% wrong_edges_as_set: Equal edges are merged, so x + x brings 1
def edges(v):
    """(value, slope) of every edge, whichever way made_from stores them."""
    out = []
    for k, e in enumerate(v.made_from):
        if hasattr(e, "made_from"):
            names = list(getattr(v, "__dict__", {})) + list(getattr(type(v), "__slots__", ()))
            side = [getattr(v, n) for n in names if n not in ("made_from", "grad")]
            side = [s for s in side if isinstance(s, (tuple, list)) and len(s) == len(v.made_from)]
            out.append((e, side[0][k]))
        else:
            p, s = e
            out.append((p, s) if hasattr(p, "made_from") else (s, p))
    return out


def topo(result):
    order, seen = [], set()

    def visit(v):
        if id(v) in seen:
            return
        seen.add(id(v))
        for p, _ in edges(v):
            visit(p)
        order.append(v)

    visit(result)
    return order[::-1]


def backward(result):
    order = topo(result)
    for v in order:
        if v.made_from:
            v.grad = 0.0
    result.grad = 1.0
    for v in order:
        merged = {(id(p), s): p for p, s in edges(v)}
        for (_, s), p in merged.items():
            p.grad += s * v.grad


# %% wrong_skips_zero_edges: Values behind an edge of slope 0 are not visited, so they keep a stale grad
def edges(v):
    """(value, slope) of every edge, whichever way made_from stores them."""
    out = []
    for k, e in enumerate(v.made_from):
        if hasattr(e, "made_from"):
            names = list(getattr(v, "__dict__", {})) + list(getattr(type(v), "__slots__", ()))
            side = [getattr(v, n) for n in names if n not in ("made_from", "grad")]
            side = [s for s in side if isinstance(s, (tuple, list)) and len(s) == len(v.made_from)]
            out.append((e, side[0][k]))
        else:
            p, s = e
            out.append((p, s) if hasattr(p, "made_from") else (s, p))
    return out


def backward(result):
    order, seen = [], set()

    def visit(v):
        if id(v) in seen:
            return
        seen.add(id(v))
        for p, s in edges(v):
            if s != 0:
                visit(p)
        order.append(v)

    visit(result)
    order.reverse()
    for v in order:
        if v.made_from:
            v.grad = 0.0
    result.grad = 1.0
    for v in order:
        for p, s in edges(v):
            if s != 0:
                p.grad += s * v.grad


# %% wrong_remembers_seen: Visited values are remembered between calls, a second call over shared values does nothing there
def edges(v):
    """(value, slope) of every edge, whichever way made_from stores them."""
    out = []
    for k, e in enumerate(v.made_from):
        if hasattr(e, "made_from"):
            names = list(getattr(v, "__dict__", {})) + list(getattr(type(v), "__slots__", ()))
            side = [getattr(v, n) for n in names if n not in ("made_from", "grad")]
            side = [s for s in side if isinstance(s, (tuple, list)) and len(s) == len(v.made_from)]
            out.append((e, side[0][k]))
        else:
            p, s = e
            out.append((p, s) if hasattr(p, "made_from") else (s, p))
    return out


SEEN = {}


def backward(result):
    order = []

    def visit(v):
        if id(v) in SEEN:
            return
        SEEN[id(v)] = v
        for p, _ in edges(v):
            visit(p)
        order.append(v)

    visit(result)
    order.reverse()
    for v in order:
        if v.made_from:
            v.grad = 0.0
    result.grad = 1.0
    for v in order:
        for p, s in edges(v):
            p.grad += s * v.grad


# %% wrong_frees_graph: Empties made_from afterwards, though only grad may change
def edges(v):
    """(value, slope) of every edge, whichever way made_from stores them."""
    out = []
    for k, e in enumerate(v.made_from):
        if hasattr(e, "made_from"):
            names = list(getattr(v, "__dict__", {})) + list(getattr(type(v), "__slots__", ()))
            side = [getattr(v, n) for n in names if n not in ("made_from", "grad")]
            side = [s for s in side if isinstance(s, (tuple, list)) and len(s) == len(v.made_from)]
            out.append((e, side[0][k]))
        else:
            p, s = e
            out.append((p, s) if hasattr(p, "made_from") else (s, p))
    return out


def topo(result):
    order, seen = [], set()

    def visit(v):
        if id(v) in seen:
            return
        seen.add(id(v))
        for p, _ in edges(v):
            visit(p)
        order.append(v)

    visit(result)
    return order[::-1]


def backward(result):
    order = topo(result)
    for v in order:
        if v.made_from:
            v.grad = 0.0
    result.grad = 1.0
    for v in order:
        for p, s in edges(v):
            p.grad += s * v.grad
    for v in order:
        v.made_from = type(v.made_from)()


# %% right_topological: Depth first, reversed
def edges(v):
    """(value, slope) of every edge, whichever way made_from stores them."""
    out = []
    for k, e in enumerate(v.made_from):
        if hasattr(e, "made_from"):
            names = list(getattr(v, "__dict__", {})) + list(getattr(type(v), "__slots__", ()))
            side = [getattr(v, n) for n in names if n not in ("made_from", "grad")]
            side = [s for s in side if isinstance(s, (tuple, list)) and len(s) == len(v.made_from)]
            out.append((e, side[0][k]))
        else:
            p, s = e
            out.append((p, s) if hasattr(p, "made_from") else (s, p))
    return out


def topo(result):
    order, seen = [], set()

    def visit(v):
        if id(v) in seen:
            return
        seen.add(id(v))
        for p, _ in edges(v):
            visit(p)
        order.append(v)

    visit(result)
    return order[::-1]


def backward(result):
    order = topo(result)
    for v in order:
        if v.made_from:
            v.grad = 0.0
    result.grad = 1.0
    for v in order:
        for p, s in edges(v):
            p.grad += s * v.grad


# %% right_counting: Counts the uses first, no recursion, hands on when the count is down to 0
def edges(v):
    """(value, slope) of every edge, whichever way made_from stores them."""
    out = []
    for k, e in enumerate(v.made_from):
        if hasattr(e, "made_from"):
            names = list(getattr(v, "__dict__", {})) + list(getattr(type(v), "__slots__", ()))
            side = [getattr(v, n) for n in names if n not in ("made_from", "grad")]
            side = [s for s in side if isinstance(s, (tuple, list)) and len(s) == len(v.made_from)]
            out.append((e, side[0][k]))
        else:
            p, s = e
            out.append((p, s) if hasattr(p, "made_from") else (s, p))
    return out


from collections import Counter, deque


def backward(result):
    uses, todo, seen = Counter(), [result], {id(result)}
    while todo:
        v = todo.pop()
        if v.made_from:
            v.grad = 0.0
        for p, _ in edges(v):
            uses[id(p)] += 1
            if id(p) not in seen:
                seen.add(id(p))
                todo.append(p)
    result.grad = 1.0
    ready = deque([result])
    while ready:
        v = ready.popleft()
        for p, s in edges(v):
            p.grad = p.grad + v.grad * s
            uses[id(p)] -= 1
            if uses[id(p)] == 0:
                ready.append(p)


# %% right_pull: Every value asks its users, memoised; grads are written at the very end
def edges(v):
    """(value, slope) of every edge, whichever way made_from stores them."""
    out = []
    for k, e in enumerate(v.made_from):
        if hasattr(e, "made_from"):
            names = list(getattr(v, "__dict__", {})) + list(getattr(type(v), "__slots__", ()))
            side = [getattr(v, n) for n in names if n not in ("made_from", "grad")]
            side = [s for s in side if isinstance(s, (tuple, list)) and len(s) == len(v.made_from)]
            out.append((e, side[0][k]))
        else:
            p, s = e
            out.append((p, s) if hasattr(p, "made_from") else (s, p))
    return out


def backward(result):
    users, values = {}, {}
    stack = [result]
    while stack:
        v = stack.pop()
        if id(v) in values:
            continue
        values[id(v)] = v
        for p, s in edges(v):
            users.setdefault(id(p), []).append((id(v), s))
            stack.append(p)
    memo = {id(result): 1.0}

    def total(key):
        if key not in memo:
            arrived = 0.0
            for user, s in users[key]:
                arrived += total(user) * s
            memo[key] = arrived
        return memo[key]

    for key, v in values.items():
        total(key)
    for key, v in values.items():
        v.grad = memo[key] if v.made_from else v.grad + memo[key]


# %% wrong_cleared_on_arrival: A value starts from 0 when something first arrives, and nothing is sent where it is 0.
def backward(result):
    order, seen, reached = [], set(), set()

    def place(value):
        if value not in seen:
            seen.add(value)
            for source, _ in value.made_from:
                place(source)
            order.append(value)

    place(result)
    result.grad = 1.0
    for value in reversed(order):
        if value.grad == 0:
            continue
        for source, slope in value.made_from:
            if source.made_from and source not in reached:
                source.grad = 0.0
            reached.add(source)
            source.grad += slope * value.grad


# %% wrong_times_zero: Clears the values between by a product with 0, which leaves NaN as it is.
def backward(result):
    order, seen = [], set()

    def place(value):
        if value not in seen:
            seen.add(value)
            for source, _ in value.made_from:
                place(source)
            if value.made_from:
                value.grad *= 0
            order.append(value)

    place(result)
    result.grad = 1.0
    for value in reversed(order):
        for source, slope in value.made_from:
            source.grad += slope * value.grad


# %% wrong_leaf_by_grad: Leaves are cleared the first time, when they hold what nobody of ours has written.
OURS = {}


def backward(result):
    order, seen = [], set()

    def place(value):
        if value not in seen:
            seen.add(value)
            for source, _ in value.made_from:
                place(source)
            if value.made_from or value not in OURS:
                value.grad = 0.0
            OURS[value] = True
            order.append(value)

    place(result)
    result.grad = 1.0
    for value in reversed(order):
        for source, slope in value.made_from:
            source.grad += slope * value.grad


# %% wrong_two_sources: Knows values made from one or two, the first and the last.
def backward(result):
    order, seen = [], set()

    def edges(value):
        return value.made_from if len(value.made_from) < 2 else (value.made_from[0], value.made_from[-1])

    def place(value):
        if value not in seen:
            seen.add(value)
            for source, _ in edges(value):
                place(source)
            if value.made_from:
                value.grad = 0.0
            order.append(value)

    place(result)
    result.grad = 1.0
    for value in reversed(order):
        for source, slope in edges(value):
            source.grad += slope * value.grad


# %% wrong_hundred_deep: Goes no deeper than 100 values.
def backward(result):
    order, seen = [], set()

    def place(value, depth):
        if value not in seen and depth < 100:
            seen.add(value)
            for source, _ in value.made_from:
                place(source, depth + 1)
            if value.made_from:
                value.grad = 0.0
            order.append(value)

    place(result, 0)
    result.grad = 1.0
    for value in reversed(order):
        for source, slope in value.made_from:
            source.grad += slope * value.grad


# %% wrong_stops_when_cancelled: Takes a gradient of 0 for one that has not been reached, and does not clear it.
def backward(result):
    order, seen = [], set()

    def place(value):
        if value not in seen:
            seen.add(value)
            for source, _ in value.made_from:
                place(source)
            order.append(value)

    place(result)
    table = {result: 1.0}
    for value in reversed(order):
        for source, slope in value.made_from:
            table[source] = table.get(source, 0.0) + slope * table.get(value, 0.0)
    for value, arrived in table.items():
        if arrived:
            value.grad = arrived if value.made_from else value.grad + arrived


# %% wrong_averaged_over_uses: A value that is used several times gets the mean of what arrives at a leaf.
def backward(result):
    order, seen, uses = [], set(), {}

    def place(value):
        if value not in seen:
            seen.add(value)
            for source, _ in value.made_from:
                uses[source] = uses.get(source, 0) + 1
                place(source)
            if value.made_from:
                value.grad = 0.0
            order.append(value)

    place(result)
    result.grad = 1.0
    for value in reversed(order):
        for source, slope in value.made_from:
            source.grad += slope * value.grad / (1 if source.made_from else uses[source])


# %% right_generator_order: A generator that calls itself yields the order.
def backward(result):
    def walk(value, seen):
        if id(value) not in seen:
            seen[id(value)] = value
            for source, _ in value.made_from:
                yield from walk(source, seen)
            yield value

    *others, last = walk(result, {})
    for value in others:
        if value.made_from:
            value.grad = 0.0
    last.grad = 1.0
    for value in (last, *reversed(others)):
        for source, slope in value.made_from:
            source.grad += slope * value.grad


# %% right_solved_as_a_system: A triangular system of equations, by NumPy.
import numpy


def backward(result):
    values = [result]
    for value in values:
        for source, _ in value.made_from:
            if not any(source is other for other in values):
                values.append(source)
    index = {id(value): i for i, value in enumerate(values)}
    slopes = numpy.eye(len(values))
    for value in values:
        for source, slope in value.made_from:
            slopes[index[id(source)], index[id(value)]] -= slope
    arrived = numpy.linalg.solve(slopes, numpy.eye(len(values))[0])
    for value, grad in zip(values, arrived.tolist()):
        value.grad = grad if value.made_from else value.grad + grad
