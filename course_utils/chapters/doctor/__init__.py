"""What `course doctor` says of PyTorch, processor and data sets; the engine's own findings are in lessonkit."""
