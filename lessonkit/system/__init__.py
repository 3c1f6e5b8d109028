"""What all parts of the engine use: processes, files written safely, the limits of a container, settings."""
