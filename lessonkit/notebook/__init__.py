"""An .ipynb file in, facts about it out; nothing is executed here."""
