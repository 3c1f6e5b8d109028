"""A chapter as slides for a room: deck > opening, cut > prose, code, shown > block > sizes."""
