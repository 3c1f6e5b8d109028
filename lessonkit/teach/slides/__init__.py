"""A chapter as slides for a room, by nbconvert: deck > cut > prose, shown, slide > sentences."""
