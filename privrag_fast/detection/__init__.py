"""Detection: sensitive spans of a text, in code points."""
