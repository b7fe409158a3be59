"""A vault with planted cases for the divergent questions, from a seed: what is to be found, and what looks like it.

Each case stands in notes of its own among distractors: the same fact in other words, another subject with the same
figures, a fact that was updated, neighbours that are linked.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random

# What is said, in other words, with values that differ: (first, second, values of both, language).
_CLAIMS = [
    (
        "The {x} greenhouse is heated to {} degrees at night.",
        "At night we keep {} degrees in the {x} glasshouse.",
        ("12", "17"),
    ),
    (
        "Membership of the {x} club costs {} euros a year.",
        "A year in the {x} club is {} euros.",
        ("40", "65"),
    ),
    (
        "Dr {x} examined the patient on {}.",
        "The patient was seen by Dr {x} on {}.",
        ("12 March 2025", "2 April 2025"),
    ),
    (
        "The {x} archive {} be photographed.",
        "Taking pictures of the {x} archive {}.",
        ("may", "is forbidden"),
    ),
    (
        "Der Vertrag mit {x} läuft {} Monate.",
        "Mit {x} wurde eine Laufzeit von {} Monaten vereinbart.",
        ("12", "24"),
    ),
    (
        "Die Brücke bei {x} wurde {} gebaut.",
        "Gebaut wurde die {x}er Brücke im Jahr {}.",
        ("1893", "1911"),
    ),
    (
        "The lock of the {x} cellar is {} at weekends.",
        "On weekends the {x} cellar {}.",
        ("open", "stays closed"),
    ),
    (
        "The keynote at the {x} meeting was given by {}.",
        "{1} held the opening talk of the {x} meeting.",
        ("Ingrid", "Tomas"),
    ),
    (
        "The {x} mushroom is {} to eat.",
        "Nobody should eat the {x} mushroom, {}.",
        ("safe", "it is poisonous"),
    ),
    (
        "La presa de {x} tiene {} metros de altura.",
        "Con {} metros, la presa de {x} domina el valle.",
        ("84", "120"),
    ),
    (
        "Our {x} server does {} keep backups.",
        "Backups of the {x} server are {} kept.",
        ("not", "always"),
    ),
    (
        "The train to {x} leaves from platform {}.",
        "For {x} one boards the train at platform {}.",
        ("3", "8"),
    ),
    (
        "Le refuge de {x} accueille {} personnes.",
        "On peut dormir à {} dans le refuge de {x}.",
        ("18", "30"),
    ),
]
# The same said twice: no contradiction.
_AGREE = [
    ("The {x} trail is 1.5 km long.", "From end to end the {x} trail measures 1500 metres."),
    ("The {x} sauna stays hot for two weeks of use.", "After 14 days of use the {x} sauna is still hot."),
    ("Rain fell on the {x} orchard all Monday.", "The {x} orchard had rain the whole of Monday."),
    ("Frau {x} leitet den Chor seit Jahren.", "Der Chor wird seit Jahren von Frau {x} geführt."),
]
# The same words about two subjects: no contradiction.
_OTHERS = [
    ("The {x} boiler holds {} litres.", ("110", "240")),
    ("Parking at {x} costs {} euros an hour.", ("3", "5")),
    ("Das Fass {x} fasst {} Liter.", ("50", "90")),
]
_UPDATES = [
    ("The {x} team has {} people.", "{1} people now work in the {x} team.", ("6", "9")),
    ("Rent for the {x} studio is {} euros.", "We pay {1} euros for the {x} studio.", ("420", "470")),
]
_NAMES = (
    "Kestrel Amsel Orion Halden Morwen Tarn Quill Bramble Sorrel Vesper Lindow Calder Rowan Fenwick Aldous Merrow"
    " Thistle Corvin Dunmore Elswick Garnet Hollis Ivory Juniper Larkin Medlar Nettle Osprey Pascoe Redmire Selby"
    " Teasel Umber Wharfe Yarrow Zennor Birkdale Cobalt Drover Ember Falcon Gorse Heron Isolde Jasper Kelda Lowick"
    " Mistral Norwell"
).split()  # fmt: skip
_RARE = (
    "tourmaline palimpsest gneiss sextant marzipan bellows lacquer zeppelin saltpetre theremin vellum quicklime"
    " astrolabe gamelan cochineal pantograph turbary ocarina verdigris whalebone heliograph damascene linnet"
    " trebuchet porphyry"
).split()  # fmt: skip
_DAYS = ("A long walk with the dog", "Dinner at the station", "The parcel arrived", "Three calls before noon", "Snow",
         "Packing for the trip", "The dentist again", "Fog until four", "A visit from the neighbours")  # fmt: skip
_TOPICS = {
    "Garden": ["The beans climbed past the trellis this week.", "Compost needs turning before the frost.",
               "Slugs ate the lettuce again.", "I pruned the pear tree in the drizzle."],
    "Ships": ["The rigging was tarred in the harbour.", "A fresh breeze filled the topsail.",
              "The pilot came aboard at the estuary.", "The hull was scraped and painted."],
    "Choir": ["The altos came in late on the second page.", "We sang the motet from memory.",
              "The tenor line is still shaky.", "Rehearsal moved to the parish hall."],
    "Baking": ["The sourdough rose slowly overnight.", "Rye flour makes a denser loaf.",
               "The crust was pale, the oven too cool.", "I folded butter into the dough."],
    "Chess": ["The endgame turned on a passed pawn.", "White gave up the bishop pair.",
              "I misread the knight fork.", "The opening left the queenside weak."],
    "Bücher": ["Der Roman beginnt mit einem langen Brief.", "Das Nachwort erklärt die Übersetzung.",
               "Ich habe das Kapitel zweimal gelesen.", "Die Erzählerin bleibt ohne Namen."],
}  # fmt: skip


@dataclass
class Planted:
    """What is in the vault. `pairs` are quotes that contradict, `updates` those that changed, by their paths.

    `gaps`: (topic, kind, a word of its subject). `walks`: (start, path that a short walk has to reach, kind).
    `bridges`: (a, b, the paths between, in order).
    """

    notes: dict[str, str] = field(default_factory=dict)
    pairs: list[tuple[str, str]] = field(default_factory=list)
    updates: list[tuple[str, str]] = field(default_factory=list)
    gaps: list[tuple[str, str, str]] = field(default_factory=list)
    walks: list[tuple[str, str, str]] = field(default_factory=list)
    bridges: list[tuple[str, str, list[str]]] = field(default_factory=list)

    def write(self, root: Path) -> None:
        for path, text in self.notes.items():
            place = root / path
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_text(text, encoding="utf-8")


def plant(seed: int) -> Planted:
    draw = Random(seed)
    names = draw.sample(_NAMES, len(_NAMES))
    rare = draw.sample(_RARE, len(_RARE))
    made = Planted()
    numbers = iter(range(1, 1000))

    def note(topic: str, *said: str, head: str = "") -> str:
        """A note of a topic with these sentences among its own; its path."""
        title = f"{topic} {next(numbers):03}"
        filler = draw.sample(_TOPICS[topic], 2)
        text = f"{head}# {title}\n\n{filler[0]} {' '.join(said[:1])}\n\n{' '.join([*said[1:], filler[1]])}\n"
        made.notes[f"{topic}/{title}.md"] = text
        return f"{topic}/{title}.md"

    def topic() -> str:
        return draw.choice(list(_TOPICS))

    for one, other, values in draw.sample(_CLAIMS, 10):
        name = names.pop()
        made.pairs.append((note(topic(), _say(one, name, values, 0)), note(topic(), _say(other, name, values, 1))))
    for one, other in _AGREE:
        name = names.pop()
        note(topic(), one.format(x=name)), note(topic(), other.format(x=name))
    for one, values in _OTHERS:
        for value in values:
            note(topic(), one.format(value, x=names.pop()))
    for one, other, values in _UPDATES:
        name = names.pop()
        made.updates.append(
            (
                note(topic(), _say(one, name, values, 0), head="---\ndate: 2024-05-02\n---\n"),
                note(topic(), _say(other, name, values, 1), head="---\ndate: 2026-01-09\n---\n"),
            )
        )
    for _ in range(25):
        note(topic())

    _plant_gaps(made, draw, note, names)
    _plant_ties(made, draw, note, rare)
    return made


def _plant_gaps(made: Planted, draw: Random, note: Callable[..., str], names: list[str]) -> None:
    log = "---\ntype: log\nwritten_by: Zibaldone\ndate: 2026-02-03\n---\n"
    asked = [("Garden", "Which pear tree has canker in the garden?"), ("Ships", "Who tarred the rigging of the ship?"),
             ("Chess", "When is the next chess endgame evening?")]  # fmt: skip
    for i, (area, question) in enumerate(asked):
        log += f"\n## 09:1{i} {question}\n\nNo answer: the notes that were found hardly speak of this.\n"
        made.gaps.append((area, "unanswered", question))
    log += "\n## 10:00 How long does the sourdough rise?\n\n> Overnight [1].\n"
    made.notes["Zibaldone/log/2026-02-03.md"] = log
    for area in draw.sample(["Garden", "Ships", "Choir"], 3):
        name = names.pop()
        note(area, f"More on this is in [[{name} plan]].")
        made.gaps.append((area, "unresolved_link", f"{name} plan"))
    for folder, part in (("Recipes", "Ingredients"), ("Interviews", "Follow-up")):
        lacking = draw.randrange(6)
        for i in range(6):
            title = f"{folder} {i}"
            parts = ["Background", part] if i != lacking else ["Background"]
            body = "".join(f"\n## {one}\n\n{draw.choice(_TOPICS[draw.choice(list(_TOPICS))])}\n" for one in parts)
            made.notes[f"{folder}/{title}.md"] = f"---\nstatus: {draw.choice(['open', 'done'])}\n---\n# {title}\n{body}"
        made.gaps.append((folder, "missing_section", f"{folder} {lacking}"))
    for topic, one, other in (
        ("Beekeeping", "The colony swarmed from the hive and the queen was lost; I caught the bees in a skep.",
         "Bees left the hive in a swarm with their queen, and a skep served to catch them."),
        ("Telescope", "The mirror of the telescope was ground by hand and silvered for looking at Saturn.",
         "To look at Saturn through the telescope its hand-ground mirror had to be silvered."),
    ):  # fmt: skip
        made.notes[f"{topic}/First look.md"] = f"# First look\n\n{one}\n"
        made.notes[f"Journal/{topic} again.md"] = f"# {topic} again\n\n{other}\n"
        made.gaps.append((topic, "unlinked", "First look"))


def _plant_ties(made: Planted, draw: Random, note: Callable[..., str], rare: list[str]) -> None:
    """Walks over one planted tie, and chains of two or three."""
    topics = list(_TOPICS)
    for i in range(10):
        a, b = draw.sample(topics, 2)
        kind = ("link", "term", "tag", "date")[i % 4]
        if kind == "link":
            target = note(b, "It is so.")
            start = note(a, f"See [[{Path(target).stem}]] for this.")
        elif kind == "term":
            word = rare.pop()
            start, target = note(a, f"There was {word} in it."), note(b, f"It is about {word} too.")
        elif kind == "tag":
            tag = f"plan{i}{draw.randrange(100)}"
            start, target = note(a, f"#{tag}"), note(b, f"#{tag}")
        else:
            day = f"2023-0{i % 8 + 1}-1{draw.randrange(10)}"
            start, target = note(a, f"{draw.choice(_DAYS)} ({day})."), note(b, f"{day}: {draw.choice(_DAYS)}.")
        made.walks.append((start, target, kind))
    for i in range(10):
        a, b, c = draw.sample(topics, 3)
        word = rare.pop()
        between = note(b, f"Here there is {word}.")
        if i % 2:
            end = note(c, f"#end{i}")
            made.notes[between] += f"\nSee also [[{Path(end).stem}]].\n"
        else:
            day = f"2022-1{i % 3}-0{i + 1 if i < 9 else 9}"
            made.notes[between] += f"\n{draw.choice(_DAYS)}, {day}.\n"
            end = note(c, f"{draw.choice(_DAYS)}, {day}.")
        start = note(a, f"I had {word} with me.")
        made.bridges.append((start, end, [between]))


def _say(pattern: str, name: str, values: tuple[str, str], which: int) -> str:
    return pattern.replace("{1}", values[1]).replace("{}", values[which]).replace("{x}", name)
