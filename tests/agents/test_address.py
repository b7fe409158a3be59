"""Whom a message is for."""

from __future__ import annotations

import pytest

from zibaldone.agents.relay.address import find_address


@pytest.mark.parametrize(
    ("message", "agent", "rest"),
    [
        ("How many mites were there?", "relay", "How many mites were there?"),
        ("@data How many mites?", "data", "How many mites?"),
        ("  @Data: How many\nmites?", "data", "How many\nmites?"),
        ("@relay, hello there", "relay", "hello there"),
        ("@data what is due today?", "data", "what is due today?"),
        ("@pattern", "pattern", ""),
        ("@action", "action", ""),
        ("@agenda today", "agenda", "today"),
        ("@agenda", "agenda", "week"),
        ("@agenda: heute", "agenda", "today"),
        ("@agenda overdue", "agenda", "overdue"),
        ("@agenda überfällig", "agenda", "overdue"),
        ("@agenda diese Woche", "agenda", "week"),
        ("@agenda what about the bees", "agenda", "week"),
        ("What is due this week?", "agenda", "week"),
        ("was steht diese Woche an?", "agenda", "week"),
        ("@relay what is overdue?", "agenda", "overdue"),
        ("@dataset of bees", "relay", "@dataset of bees"),
        ("ask @data about it", "relay", "ask @data about it"),
        ("@unknown hello", "relay", "@unknown hello"),
        ("memory migrate", "migrate", "memory migrate"),
        ("Memory migrate!", "migrate", "Memory migrate!"),
        ("Gedächtnis übernehmen", "migrate", "Gedächtnis übernehmen"),
        ("what does memory migrate do?", "relay", "what does memory migrate do?"),
        ("", "relay", ""),
    ],
)
def test_whom_a_message_is_for(message: str, agent: str, rest: str) -> None:
    assert find_address(message) == (agent, rest)
