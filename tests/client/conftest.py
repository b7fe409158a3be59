from support.blocking import no_blocking
from support.serving import serve_engine, served

__all__ = ["no_blocking", "serve_engine", "served"]
