"""What `course doctor` finds on a machine; the door is `findings`."""
