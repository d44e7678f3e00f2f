"""An OpenAI-compatible endpoint in front of another one: `privrag-fast serve`."""

from privrag_fast.gateway.app import create_app
from privrag_fast.gateway.options import GatewayOptions
from privrag_fast.gateway.server import serve

__all__ = ["GatewayOptions", "create_app", "serve"]
