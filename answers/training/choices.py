# %% right_as_in_the_text: A dict of tuples.
choices = {"A": (4, "more pictures"), "B": (12, "higher rate"), "C": (2, "lower rate")}


# %% right_lists: Lists in place of tuples.
choices = {"A": [4, "more pictures"], "B": [12, "higher rate"], "C": [2, "lower rate"]}


# %% right_another_order: C comes first.
choices = dict(C=(2, "lower rate"), B=(12, "higher rate"), A=(4, "more pictures"))


# %% wrong_c_higher: A higher rate for C.
choices = {"A": (4, "more pictures"), "B": (12, "higher rate"), "C": (2, "higher rate")}


# %% wrong_c_pictures: More pictures for C.
choices = {"A": (4, "more pictures"), "B": (12, "higher rate"), "C": (2, "more pictures")}


# %% wrong_a_lower: A lower rate for A.
choices = {"A": (4, "lower rate"), "B": (12, "higher rate"), "C": (2, "lower rate")}


# %% wrong_b_lower: A lower rate for B.
choices = {"A": (4, "more pictures"), "B": (12, "lower rate"), "C": (2, "lower rate")}


# %% wrong_without_c: C is missing.
choices = {"A": (4, "more pictures"), "B": (12, "higher rate")}


# %% wrong_epochs_only: Without the fixes.
choices = {"A": 4, "B": 12, "C": 2}


# %% wrong_one_late: One epoch after the lowest.
choices = {"A": (5, "more pictures"), "B": (12, "higher rate"), "C": (3, "lower rate")}


# %% wrong_b_first: B's first epoch.
choices = {"A": (4, "more pictures"), "B": (1, "higher rate"), "C": (2, "lower rate")}


# %% wrong_text: Epochs as text.
choices = {"A": ("4", "more pictures"), "B": ("12", "higher rate"), "C": ("2", "lower rate")}


# %% wrong_epoch_zero: counts from 0, epoch 0 does not exist
choices = {"A": (0, "lower rate"), "B": (0, "higher rate"), "C": (0, "more pictures")}


# %% wrong_other_cure: fixes that are none of the three
choices = {"A": (7, "dropout"), "B": (12, "weight decay"), "C": (3, "early stopping")}


# %% wrong_missing_c: no entry for C
choices = {"A": (7, "lower rate"), "B": (12, "higher rate")}


# %% wrong_swapped_pair: fix first, epoch second
choices = {"A": ("lower rate", 7), "B": ("higher rate", 12), "C": ("more pictures", 3)}


# %% wrong_no_cure: epochs only, no fix
choices = {"A": 7, "B": 12, "C": 3}


# %% wrong_small_letters: keys in small letters
choices = {"a": (7, "lower rate"), "b": (12, "higher rate"), "c": (3, "more pictures")}


# %% wrong_epochs_as_words: the epochs are strings
choices = {"A": ("7", "lower rate"), "B": ("12", "higher rate"), "C": ("3", "more pictures")}


# %% wrong_list: a list of pairs, no dictionary
choices = [(7, "lower rate"), (12, "higher rate"), (3, "more pictures")]
