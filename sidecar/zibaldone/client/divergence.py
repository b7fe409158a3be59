"""`RemoteDivergence`: the `Divergence` protocol over the owner's HTTP API."""

from __future__ import annotations

from zibaldone.client.library import Call
from zibaldone.schemas.divergence import (
    Bridges,
    BridgesRequest,
    Contradictions,
    ContradictionsRequest,
    Gaps,
    GapsRequest,
    Walk,
    WalkRequest,
)

# The first time every sentence of the vault is embedded.
_LONG_S = 3600.0


class RemoteDivergence:
    def __init__(self, call: Call) -> None:
        self._call = call

    async def contradictions(self, request: ContradictionsRequest) -> Contradictions:
        return await self._call("POST", "/v1/contradictions", Contradictions, request, answer_s=_LONG_S)

    async def gaps(self, request: GapsRequest) -> Gaps:
        return await self._call("POST", "/v1/gaps", Gaps, request)

    async def drift_walk(self, request: WalkRequest) -> Walk:
        return await self._call("POST", "/v1/drift-walk", Walk, request)

    async def bridges(self, request: BridgesRequest) -> Bridges:
        return await self._call("POST", "/v1/bridges", Bridges, request)
