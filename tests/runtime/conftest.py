from support.blocking import no_blocking
from support.vaults import vault

__all__ = ["no_blocking", "vault"]
