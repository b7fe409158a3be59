"""Pictures with a ledger of what is written on them: screenshots, photos of print, and pictures without print.

The same seed gives the same picture. Fonts come with a Python package; the system's are used where they are asked for.
"""

from __future__ import annotations

import io
import math
import random
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path

import numpy as np
import reportlab
from PIL import Image, ImageDraw, ImageFilter, ImageFont

SENTENCES = {
    "en": (
        "The pump was replaced on {day} March, and the bill of {sum} euros is in the blue folder.",
        "{name} asked whether the workshop in {town} could be moved to the {ordinal} week of June.",
        "Nobody knows yet who will look after the garden while we are away in {town}.",
        "Store the samples at {small} degrees; above {day} degrees they spoil within an afternoon.",
        "Revenue grew by {small}.{small} per cent, mostly because {name} kept the prices unchanged.",
        "We decided against the larger battery: it weighs {sum} grams and costs twice as much.",
        "The train leaves at {hour}:{minute} from platform {small}, so be there ten minutes early.",
        "A draft of the contract goes to {name} first, then to the lawyers, and only then to print.",
        "Three of the windows on the north side still need a coat of paint before winter.",
        "Version {small}.{day} fixes the crash that {name} reported after the update in {town}.",
        "Measure twice, cut once, and write down the length before you forget it.",
        "Please bring the questionnaire, a jacket and {sum} printed copies of the programme.",
        "The committee will vote on the proposal by {name} at its next meeting in {town}.",
        "Half of the budget is reserved for repairs, a quarter for travel and the rest for books.",
    ),
    "de": (
        "Die Pumpe wurde am {day}. März ausgetauscht, die Rechnung über {sum} Euro liegt im blauen Ordner.",
        "{name} fragte, ob der Kurs in {town} auf die {ordinal} Juniwoche verschoben werden könnte.",
        "Niemand weiß bisher, wer während der Reise nach {town} auf den Garten aufpasst.",
        "Die Proben bei {small} Grad lagern; über {day} Grad verderben sie an einem Nachmittag.",
        "Der Umsatz wuchs um {small},{small} Prozent, vor allem weil {name} die Preise hielt.",
        "Gegen den größeren Akku spricht, dass er {sum} Gramm wiegt und doppelt so viel kostet.",
        "Der Zug fährt um {hour}:{minute} Uhr von Gleis {small}, also bitte pünktlich erscheinen.",
        "Der Entwurf des Vertrags geht zuerst an {name}, dann an die Anwälte und zuletzt in den Druck.",
        "Drei Fenster an der Nordseite müssen vor dem Winter noch gestrichen werden.",
        "Fassung {small}.{day} behebt den Absturz, den {name} nach dem Umzug in {town} gemeldet hatte.",
        "Zweimal messen, einmal sägen und die Länge aufschreiben, bevor man sie vergisst.",
        "Bitte Fragebogen, Jacke und {sum} gedruckte Exemplare des Programms mitbringen.",
        "Der Ausschuss stimmt bei der nächsten Sitzung in {town} über den Vorschlag von {name} ab.",
        "Die Hälfte des Geldes ist für Ausbesserungen vorgesehen, ein Viertel für Übernachtungen.",
    ),
}
WORDS = {
    "en": {
        "name": "Margaret|Oliver|Priya|Thomas|Wendy|Hugh",
        "town": "Leeds|Galway|Boston|Bristol|Norwich",
        "ordinal": "first|second|third",
    },
    "de": {
        "name": "Jörg|Käthe|Günther|Sabine|Björn|Annegret",
        "town": "Köln|Zürich|Lübeck|Graz|Göttingen",
        "ordinal": "erste|zweite|dritte",
    },
}
TITLES = {
    "en": (
        "Minutes of the meeting",
        "House and garden",
        "Travel plans",
        "Delivery notes",
        "Open questions",
        "Quarterly report",
    ),
    "de": (
        "Protokoll der Sitzung",
        "Haus und Garten",
        "Reisepläne",
        "Lieferhinweise",
        "Offene Fragen",
        "Vierteljahresbericht",
    ),
}
LIGHT = ("#ffffff", "#1f2328"), ("#f6f6f6", "#333333"), ("#fdf6e3", "#073642")
DARK = ("#1e1e1e", "#dadada"), ("#0d1117", "#c9d1d9"), ("#282c34", "#abb2bf")
SYSTEM_FONTS = Path("/usr/share/fonts/truetype")


@dataclass(frozen=True)
class Picture:
    """`data` is the file; `blocks` are the paragraphs that stand on it, in reading order (none: no print)."""

    kind: str
    language: str
    name: str
    data: bytes
    blocks: tuple[str, ...]

    @property
    def image(self) -> Image.Image:
        return Image.open(io.BytesIO(self.data)).convert("RGB")


def font_files(system: bool) -> list[Path]:
    """Bitstream Vera, which reportlab brings; with `system` those of Debian too, as far as they are there."""
    found = [Path(reportlab.__file__).parent / "fonts" / name for name in ("Vera.ttf", "VeraBd.ttf")]
    if system:
        names = ("LiberationSans-Regular", "LiberationSerif-Regular", "LiberationMono-Regular", "DejaVuSerif")
        found += [path for name in names for path in sorted(SYSTEM_FONTS.glob(f"*/{name}.ttf"))]
    return found


@cache
def load_font(path: Path, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(path, size)


def write_sentence(rng: random.Random, language: str) -> str:
    words = {slot: rng.choice(choices.split("|")) for slot, choices in WORDS[language].items()}
    return rng.choice(SENTENCES[language]).format(
        **words, day=rng.randint(10, 28), sum=rng.randint(101, 998), small=rng.randint(2, 9),
        hour=rng.randint(6, 22), minute=rng.randint(10, 59),
    )  # fmt: skip


def write_paragraphs(rng: random.Random, language: str, count: int) -> list[str]:
    return [" ".join(write_sentence(rng, language) for _ in range(rng.randint(2, 4))) for _ in range(count)]


def wrap(text: str, font: ImageFont.FreeTypeFont, width: int) -> list[str]:
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        lines = [*lines[:-1], longer] if font.getlength(longer) <= width else [*lines, word]
    return lines


@dataclass
class Sheet:
    """A page that is filled from the top: `y` is where the next line comes, `blocks` what stands on it so far."""

    image: Image.Image
    ink: str
    blocks: list[str]
    y: int

    def put(self, text: str, font: ImageFont.FreeTypeFont, x: int, width: int, indent: str = "") -> None:
        """A paragraph, as long as there is room for all of it."""
        lines, step = wrap(indent + text, font, width), round(font.size * 1.4)
        if self.y + step * len(lines) > self.image.height - step:
            return
        draw = ImageDraw.Draw(self.image)
        for line in lines:
            draw.text((x, self.y), line, font=font, fill=self.ink)
            self.y += step
        self.y += step // 2
        self.blocks.append(indent + text)


def draw_screenshot(
    rng: random.Random, language: str, fonts: list[Path], colours: tuple[tuple[str, str], ...]
) -> Sheet:
    """A window of a program: a bar, a heading, paragraphs and a list."""
    paper, ink = rng.choice(colours)
    size = rng.choice((13, 14, 15, 16, 18, 22))
    path = rng.choice(fonts)
    body, head = load_font(path, size), load_font(path, round(size * 1.6))
    image = Image.new("RGB", (rng.randint(640, 1400), rng.randint(420, 900)), paper)
    draw = ImageDraw.Draw(image)
    for spot, colour in enumerate(("#ff5f57", "#febc2e", "#28c840")):
        draw.ellipse((14 + 22 * spot, 11, 26 + 22 * spot, 23), fill=colour)
    draw.line((0, 36, image.width, 36), fill="#888888")
    sheet, margin = Sheet(image, ink, [], 56), rng.randint(24, 90)
    width = image.width - 2 * margin
    sheet.put(rng.choice(TITLES[language]), head, margin, width)
    for paragraph in write_paragraphs(rng, language, 2):
        sheet.put(paragraph, body, margin, width)
    for _ in range(rng.randint(2, 4)):
        sheet.put(write_sentence(rng, language), body, margin + 16, width - 16, "- ")
    for paragraph in write_paragraphs(rng, language, 2):
        sheet.put(paragraph, body, margin, width)
    return sheet


def draw_light(rng: random.Random, language: str, fonts: list[Path]) -> tuple[Image.Image, list[str]]:
    sheet = draw_screenshot(rng, language, fonts, LIGHT)
    return sheet.image, sheet.blocks


def draw_dark(rng: random.Random, language: str, fonts: list[Path]) -> tuple[Image.Image, list[str]]:
    sheet = draw_screenshot(rng, language, fonts, DARK)
    return sheet.image, sheet.blocks


def draw_desktop(rng: random.Random, language: str, fonts: list[Path]) -> tuple[Image.Image, list[str]]:
    """A whole screen: a list of titles at the left, small print in the rest."""
    paper, ink = rng.choice(LIGHT + DARK)
    image = Image.new("RGB", rng.choice(((1920, 1080), (2560, 1440))), paper)
    path = rng.choice(fonts)
    sheet, font = Sheet(image, ink, [], 60), load_font(path, rng.choice((13, 14, 16)))
    for title in TITLES[language]:
        sheet.put(title, font, 24, 250)
    ImageDraw.Draw(image).line((300, 40, 300, image.height), fill="#888888")
    sheet.y = 60
    sheet.put(rng.choice(TITLES[language]), load_font(path, 24), 360, 900)
    for paragraph in write_paragraphs(rng, language, rng.randint(5, 9)):
        sheet.put(paragraph, font, 360, image.width - 700)
    return image, sheet.blocks


def draw_snippet(rng: random.Random, language: str, fonts: list[Path]) -> tuple[Image.Image, list[str]]:
    """The few lines that one cuts out of a screen."""
    paper, ink = rng.choice(LIGHT + DARK)
    font = load_font(rng.choice(fonts), rng.randint(12, 16))
    text = write_sentence(rng, language)
    lines = wrap(text, font, rng.randint(260, 480))
    width = math.ceil(max(font.getlength(line) for line in lines)) + 16
    image = Image.new("RGB", (width, round(len(lines) * font.size * 1.4) + 14), paper)
    for row, line in enumerate(lines):
        ImageDraw.Draw(image).text((8, 6 + row * round(font.size * 1.4)), line, font=font, fill=ink)
    return image, [text]


def draw_columns(rng: random.Random, language: str, fonts: list[Path]) -> tuple[Image.Image, list[str]]:
    """A page of two columns under a heading that spans both."""
    size, path = rng.randint(18, 24), rng.choice(fonts)
    image = Image.new("RGB", (1240, rng.randint(900, 1500)), "white")
    sheet = Sheet(image, "black", [], 90)
    sheet.put(rng.choice(TITLES[language]), load_font(path, size * 2), 90, 1060)
    top = sheet.y
    for x in (90, 655):
        sheet.y = top
        for paragraph in write_paragraphs(rng, language, 8):
            sheet.put(paragraph, load_font(path, size), x, 495)
    return image, sheet.blocks


def draw_page(rng: random.Random, language: str, fonts: list[Path]) -> tuple[Image.Image, list[str]]:
    """A sheet of print as a camera would see it head-on, without its flaws."""
    size, path = rng.randint(26, 34), rng.choice(fonts)
    image = Image.new("RGB", (1240, rng.randint(900, 1600)), "#fbfaf5")
    sheet = Sheet(image, "#15151a", [], 110)
    sheet.put(rng.choice(TITLES[language]), load_font(path, round(size * 1.5)), 120, 1000)
    for paragraph in write_paragraphs(rng, language, 7):
        sheet.put(paragraph, load_font(path, size), 120, 1000)
    return image, sheet.blocks


def shade(image: Image.Image, rng: random.Random) -> Image.Image:
    """Light that falls off to one side, down to half, and the soft shadow of a hand."""
    height, width = image.height, image.width
    angle = rng.uniform(0, 2 * math.pi)
    across = np.linspace(-0.5, 0.5, width)[None, :] * math.cos(angle) + np.linspace(-0.5, 0.5, height)[
        :, None
    ] * math.sin(angle)
    light = 0.78 + across * rng.uniform(0.2, 0.5)
    x, y = rng.uniform(0, width), rng.uniform(0, height)
    away = ((np.arange(width)[None, :] - x) ** 2 + (np.arange(height)[:, None] - y) ** 2) / (
        0.3 * max(width, height)
    ) ** 2
    light *= 1 - rng.uniform(0, 0.4) * np.exp(-away)
    return Image.fromarray(np.clip(np.asarray(image) * light[..., None], 0, 255).astype(np.uint8))


def add_noise(image: Image.Image, rng: random.Random, sigma: float) -> Image.Image:
    noise = np.random.default_rng(rng.randint(0, 2**31)).normal(0, sigma, (image.height, image.width, 3))
    return Image.fromarray(np.clip(np.asarray(image) + noise, 0, 255).astype(np.uint8))


def photograph(image: Image.Image, rng: random.Random, degrees: float) -> Image.Image:
    """The sheet on a table: turned, in perspective, unevenly lit, out of focus, noisy."""
    wide = Image.new("RGB", (image.width + 240, image.height + 240), rng.choice(("#6b4a2f", "#3a3d44", "#8d8f8a")))
    wide.paste(image, (120, 120))
    pull = 0.03 * image.width
    corners = [(x + rng.uniform(-pull, pull), y + rng.uniform(-pull, pull))
               for x, y in ((0, 0), (0, wide.height), (wide.width, wide.height), (wide.width, 0))]  # fmt: skip
    wide = wide.transform(
        wide.size, Image.Transform.QUAD, [n for corner in corners for n in corner], Image.Resampling.BICUBIC
    )
    turned = wide.rotate(degrees, Image.Resampling.BICUBIC, expand=True, fillcolor=wide.getpixel((2, 2)))
    blurred = shade(turned, rng).filter(ImageFilter.GaussianBlur(rng.uniform(0.4, 1.4)))
    return add_noise(blurred, rng, rng.uniform(4, 18))


def draw_photo(rng: random.Random, language: str, fonts: list[Path]) -> tuple[Image.Image, list[str]]:
    page, blocks = draw_page(rng, language, fonts)
    return photograph(page, rng, rng.uniform(-10, 10)), blocks


def draw_turned(rng: random.Random, language: str, fonts: list[Path]) -> tuple[Image.Image, list[str]]:
    """A photo whose camera lay on its side or stood on its head, without EXIF to say so."""
    page, blocks = draw_page(rng, language, fonts)
    return photograph(page, rng, rng.choice((90, 180, 270)) + rng.uniform(-4, 4)), blocks


def draw_scribble(rng: random.Random, language: str, fonts: list[Path]) -> tuple[Image.Image, list[str]]:
    """Loops of a pen in rows, as handwriting looks to someone who cannot read it."""
    image = Image.new("RGB", (1000, 700), "#fcfcf8")
    draw = ImageDraw.Draw(image)
    for row in range(6):
        x, points = 80.0, []
        for step in range(rng.randint(200, 300)):
            x += rng.uniform(0.5, 4)
            points.append(
                (
                    x + 7 * math.sin(step * 0.9),
                    100 + row * 95 + rng.uniform(8, 26) * math.sin(step * 0.7 + rng.random()),
                )
            )
        draw.line(points, fill="#1b2a6b", width=3, joint="curve")
    return image, []


def draw_landscape(rng: random.Random, language: str, fonts: list[Path]) -> tuple[Image.Image, list[str]]:
    """Sky, hills and a rough foreground."""
    image = Image.new("RGB", (1200, 800))
    draw = ImageDraw.Draw(image)
    for y in range(800):
        draw.line((0, y, 1200, y), fill=(90 + y // 8, 130 + y // 10, 220 - y // 12))
    for layer in range(4):
        base, phase = 380 + 90 * layer, rng.uniform(0, 6)
        ridge = [
            (x, base + 50 * math.sin(x / (90 + 40 * layer) + phase) + rng.uniform(-6, 6)) for x in range(0, 1201, 6)
        ]
        draw.polygon([(0, 800), *ridge, (1200, 800)], fill=(40 + 12 * layer, 90 - 12 * layer, 50))
    return add_noise(image.filter(ImageFilter.GaussianBlur(1)), rng, 12), []


def draw_texture(rng: random.Random, language: str, fonts: list[Path]) -> tuple[Image.Image, list[str]]:
    """Bricks, weave or gravel: edges everywhere, letters nowhere."""
    image = Image.new("RGB", (900, 700), "#9a5a44")
    draw, shape = ImageDraw.Draw(image), rng.choice(("bricks", "weave", "gravel"))
    for y in range(0, 700, 35):
        for x in range(-60, 900, 70):
            tone = rng.randint(-25, 25)
            colour = (154 + tone, 90 + tone, 68 + tone)
            left = x + (35 if y // 35 % 2 else 0)
            if shape == "bricks":
                draw.rectangle((left, y, left + 65, y + 30), fill=colour)
            elif shape == "weave":
                draw.line((left, y, left + 70, y + 35), fill=colour, width=9)
                draw.line((left + 70, y, left, y + 35), fill=colour, width=5)
            else:
                at = left + rng.randint(0, 30)
                draw.ellipse((at, y, at + rng.randint(12, 50), y + rng.randint(10, 34)), fill=colour, outline="#403028")
    return add_noise(image, rng, 10), []


def draw_diagram(rng: random.Random, language: str, fonts: list[Path]) -> tuple[Image.Image, list[str]]:
    """Boxes and arrows without a word."""
    image = Image.new("RGB", (1000, 700), "white")
    draw = ImageDraw.Draw(image)
    spots = [(rng.randint(60, 800), rng.randint(60, 560)) for _ in range(8)]
    for (x, y), (to_x, to_y) in pairwise(spots):
        draw.line((x + 60, y + 30, to_x + 60, to_y + 30), fill="black", width=2)
    for x, y in spots:
        draw.rounded_rectangle(
            (x, y, x + 120, y + 60), 10, fill=rng.choice(("#e8f0fe", "#fde8e8", "white")), outline="black", width=2
        )
    return image, []


Painter = Callable[[random.Random, str, list[Path]], tuple[Image.Image, list[str]]]
PRINTED: dict[str, Painter] = {
    "light": draw_light, "dark": draw_dark, "desktop": draw_desktop, "snippet": draw_snippet,
    "columns": draw_columns, "photo": draw_photo, "turned": draw_turned,
}  # fmt: skip
WORDLESS: dict[str, Painter] = {
    "scribble": draw_scribble, "landscape": draw_landscape, "texture": draw_texture, "diagram": draw_diagram,
}  # fmt: skip
PHOTOS = frozenset({"photo", "turned", "landscape", "texture"})


def draw_picture(kind: str, language: str, seed: int, system_fonts: bool = False) -> Picture:
    """A picture of `kind` (a key of PRINTED or WORDLESS); photos are JPEG files, the others PNG."""
    rng = random.Random(f"{kind} {language} {seed}")
    image, blocks = (PRINTED | WORDLESS)[kind](rng, language, font_files(system_fonts))
    buffer = io.BytesIO()
    if kind in PHOTOS:
        image.save(buffer, "JPEG", quality=rng.randint(35, 80))
    else:
        image.save(buffer, "PNG")
    suffix = "jpg" if kind in PHOTOS else "png"
    return Picture(kind, language, f"{kind}-{language}-{seed}.{suffix}", buffer.getvalue(), tuple(blocks))


def count_found(ledger: str, read: str) -> int:
    """Characters of `ledger` that stand in `read` in the same order: the longest common subsequence, white space
    counted as one space each (bit-parallel, Hyyrö 2004)."""
    ledger, read = " ".join(ledger.split()), " ".join(read.split())
    places: dict[str, int] = {}
    for index, char in enumerate(ledger):
        places[char] = places.get(char, 0) | 1 << index
    mask = (1 << len(ledger)) - 1
    row = mask
    for char in read:
        met = row & places.get(char, 0)
        row = (row + met | row - met) & mask
    return len(ledger) - row.bit_count()
