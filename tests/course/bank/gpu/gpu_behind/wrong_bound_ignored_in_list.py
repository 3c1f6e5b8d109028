# A list's entries are not compared with the GPUs that the machine has.


def gpu_behind(visible, logical, count):
    if visible is None:
        numbers = list(range(count))
    else:
        numbers = []
        for word in visible.split(","):
            if not word.isdigit():
                break
            numbers.append(int(word))
    if logical >= len(numbers):
        return None
    return numbers[logical]
