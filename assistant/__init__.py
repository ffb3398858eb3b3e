"""kbtriage: rule-driven troubleshooting of MindSpore Transformers jobs from their logs."""

__version__ = "0.1.0"
