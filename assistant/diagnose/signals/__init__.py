"""Signals judged on a job: one module a kind, each a function of the signal and the view."""
