"""One file for a room without a network: wheels, data, notebooks, and what installs them (`course bundle`)."""
