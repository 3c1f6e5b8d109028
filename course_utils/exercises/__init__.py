"""The course's questions: a folder per notebook (its slug without the number), with questions.py and answers.py."""
