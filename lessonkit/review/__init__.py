"""What `course check` says of a course's content: notebooks, exercises, mutants, and the bank of answers.

Nothing here knows one course: the folders of notebooks and answers and the package of exercises are given.
"""
