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
