"""Training and export of the package's models; needs the extra ``train`` (torch and friends)."""
