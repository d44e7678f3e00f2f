"""How much each attribute of a message moves the answer."""

from privrag_fast.relevance.substitutes import Substitutes

__all__ = ["Substitutes"]
