"""Finding articles and rules, and rules in plain words."""
