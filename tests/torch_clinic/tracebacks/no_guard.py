"""Starts a process where a spawned child will start one again: its module level. The guard is what it lacks."""

import multiprocessing


def work(number):
    return number**2


context = multiprocessing.get_context("spawn")
child = context.Process(target=work, args=(3,))
child.start()
child.join(20)
