"""Evidence that travels between machines as a file, `node-3.kbt`."""
