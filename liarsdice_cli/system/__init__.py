"""The machine: compiled functions, processes, memory, clusters of workers."""
