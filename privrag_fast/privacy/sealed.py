"""Files that only their key opens: a magic, a nonce, and JSON under AES-256-GCM."""

from __future__ import annotations

import json
import os
import secrets
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from privrag_fast.types import InputError, ProviderError, VaultError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.ciphers.aead import AESGCM

_MAGIC = b"privrag-vault-1\n"
_NONCE = 12  # bytes, fresh for every file: NIST SP 800-38D, section 8.2
_KEY = 32


def write(path: Path, key: bytes, state: object) -> None:
    """Seals a JSON value; the file is there whole or not at all, and only its owner reads it."""
    cipher = _cipher(key)
    nonce = secrets.token_bytes(_NONCE)
    # ASCII, for a value may hold code points that UTF-8 does not.
    content = _MAGIC + nonce + cipher.encrypt(nonce, json.dumps(state).encode("ascii"), _MAGIC)
    try:
        _replace(path, content)
    except OSError as error:
        raise InputError(f"{path} cannot be written: give a path in a folder of yours") from error


def read(path: Path, key: bytes) -> Any:
    """What `write` sealed.

    Raises:
        VaultError: The file is missing, damaged or of another key.
    """
    cipher = _cipher(key)
    from cryptography.exceptions import InvalidTag

    try:
        content = path.read_bytes()
    except OSError as error:
        raise VaultError(f"{path} cannot be read: give the path that Vault.save wrote") from error
    if not content.startswith(_MAGIC):
        raise VaultError(f"{path} is no vault: give the path that Vault.save wrote")
    body = content[len(_MAGIC) :]
    try:
        return json.loads(cipher.decrypt(body[:_NONCE], body[_NONCE:], _MAGIC))
    except (InvalidTag, ValueError):
        raise VaultError(f"{path} does not open: another key, or the file is damaged") from None


def _cipher(key: bytes) -> AESGCM:
    try:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    except ImportError as error:
        raise ProviderError(
            "a vault on disk needs cryptography: pip install 'privrag_fast[gateway]'"
        ) from error
    if not isinstance(key, bytes) or len(key) != _KEY:
        raise InputError(f"key must be {_KEY} random bytes, such as secrets.token_bytes({_KEY})")
    return AESGCM(key)


def _replace(path: Path, content: bytes) -> None:
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")  # mode 0600
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
