"""A job is watched while it runs: its files are followed, what rules say of them is told once."""
