"""Guidance: articles of the knowledge base, and their steps filled in for one finding."""

from assistant.guide.articles import Article
from assistant.guide.fill import fill, placeholders
from assistant.guide.library import Library, library
from assistant.guide.printable import printable

__all__ = ["Article", "Library", "fill", "library", "placeholders", "printable"]
