"""A report made to be given to others: the smallest excerpt that shows a failure, and the text
of an issue."""

from assistant.share.excerpt import Excerpt, smallest
from assistant.share.issue import issue

__all__ = ["Excerpt", "issue", "smallest"]
