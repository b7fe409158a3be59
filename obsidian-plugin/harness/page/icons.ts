/**
 * A few icons in the manner of Lucide (https://lucide.dev, ISC licence), by the names that Obsidian knows. One that is not in
 * this list is drawn as an empty circle: in Obsidian, which has them all, it is there.
 */
const ICONS: Record<string, string> = {
  "alert-triangle": "M10.3 3.9 1.8 18a2 2 0 0 0 1.7 3h17a2 2 0 0 0 1.7-3L13.7 3.9a2 2 0 0 0-3.4 0ZM12 9v4M12 17h.01",
  archive: "M3 3h18v5H3zM5 8v11a2 2 0 0 0 2 2h10a2 2 0 0 0 2-2V8M10 12h4",
  "arrow-down": "M12 5v14M19 12l-7 7-7-7",
  "arrow-left": "m12 19-7-7 7-7M19 12H5",
  "arrow-up": "M5 12l7-7 7 7M12 19V5",
  "at-sign": "M12 8a4 4 0 1 0 0 8 4 4 0 0 0 0-8ZM16 8v5a3 3 0 0 0 6 0v-1a10 10 0 1 0-4 8",
  ban: "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20ZM4.9 4.9l14.2 14.2",
  "book-open":
    "M12 7v14M3 18a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1h5a4 4 0 0 1 4 4 4 4 0 0 1 4-4h5a1 1 0 0 1 1 1v13a1 1 0 0 1-1 1h-6a3 3 0 0 0-3 3 3 3 0 0 0-3-3z",
  bookmark: "m19 21-7-4-7 4V5a2 2 0 0 1 2-2h10a2 2 0 0 1 2 2z",
  brain:
    "M12 5a3 3 0 1 0-6 .1 4 4 0 0 0-2.5 5.8 4 4 0 0 0 .5 6.6A4 4 0 1 0 12 18ZM12 5a3 3 0 1 1 6 .1 4 4 0 0 1 2.5 5.8 4 4 0 0 1-.5 6.6A4 4 0 1 1 12 18Z",
  check: "M20 6 9 17l-5-5",
  "chevron-down": "m6 9 6 6 6-6",
  "chevron-right": "m9 18 6-6-6-6",
  circle: "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20Z",
  "circle-alert": "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20ZM12 8v4M12 16h.01",
  "circle-check": "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20ZM9 12l2 2 4-4",
  "circle-help": "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20ZM9.1 9a3 3 0 0 1 5.8 1c0 2-3 3-3 3M12 17h.01",
  "circle-pause": "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20ZM10 15V9M14 15V9",
  "circle-stop": "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20ZM9 9h6v6H9z",
  clock: "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20ZM12 6v6l4 2",
  copy: "M10 8h10a2 2 0 0 1 2 2v10a2 2 0 0 1-2 2H10a2 2 0 0 1-2-2V10a2 2 0 0 1 2-2zM4 16a2 2 0 0 1-2-2V4a2 2 0 0 1 2-2h10a2 2 0 0 1 2 2",
  "corner-down-left": "m9 10-5 5 5 5M20 4v7a4 4 0 0 1-4 4H4",
  file: "M15 2H6a2 2 0 0 0-2 2v16a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V7zM14 2v6h6",
  "file-text": "M15 2H6a2 2 0 0 0-2 2v16a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V7zM14 2v6h6M16 13H8M16 17H8M10 9H8",
  folder:
    "M20 20a2 2 0 0 0 2-2V8a2 2 0 0 0-2-2h-7.9a2 2 0 0 1-1.7-.9L9.6 3.9A2 2 0 0 0 7.9 3H4a2 2 0 0 0-2 2v13a2 2 0 0 0 2 2Z",
  "file-plus": "M15 2H6a2 2 0 0 0-2 2v16a2 2 0 0 0 2 2h12a2 2 0 0 0 2-2V7zM14 2v6h6M9 15h6M12 18v-6",
  hash: "M4 9h16M4 15h16M10 3 8 21M16 3l-2 18",
  image:
    "M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zM9 7a2 2 0 1 0 0 4 2 2 0 0 0 0-4ZM21 15l-3-3-9 9",
  "git-commit-horizontal": "M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM3 12h6M15 12h6",
  "git-pull-request-arrow":
    "M5 3a3 3 0 1 0 0 6 3 3 0 0 0 0-6ZM5 9v12M15 9l-3-3 3-3M12 6h5a2 2 0 0 1 2 2v7M19 15a3 3 0 1 0 0 6 3 3 0 0 0 0-6Z",
  history: "M3 12a9 9 0 1 0 9-9 9.8 9.8 0 0 0-6.7 2.7L3 8M3 3v5h5M12 7v5l4 2",
  info: "M12 2a10 10 0 1 0 0 20 10 10 0 0 0 0-20ZM12 16v-4M12 8h.01",
  library: "m16 6 4 14M12 6v14M8 8v12M4 4v16",
  link: "M10 13a5 5 0 0 0 7.5.5l3-3a5 5 0 0 0-7-7l-1.800 1.700M14 11a5 5 0 0 0-7.500-.5l-3 3a5 5 0 0 0 7 7l1.700-1.700",
  "list-checks": "M3 17l2 2 4-4M3 7l2 2 4-4M13 6h8M13 12h8M13 18h8",
  "loader-2": "M21 12a9 9 0 1 1-6.2-8.6",
  "message-circle": "M7.9 20A9 9 0 1 0 4 16.1L2 22Z",
  "message-square": "M21 15a2 2 0 0 1-2 2H7l-4 4V5a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2z",
  "message-square-plus": "M21 15a2 2 0 0 1-2 2H7l-4 4V5a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2zM12 7v6M9 10h6",
  "message-square-quote":
    "M21 15a2 2 0 0 1-2 2H7l-4 4V5a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2zM8 12a2 2 0 0 0 2-2V8H8M14 12a2 2 0 0 0 2-2V8h-2",
  "message-square-text": "M21 15a2 2 0 0 1-2 2H7l-4 4V5a2 2 0 0 1 2-2h14a2 2 0 0 1 2 2zM13 8H7M17 12H7",
  "more-horizontal": "M12 12h.01M19 12h.01M5 12h.01",
  pencil: "M21.2 6.8a2.8 2.8 0 0 0-4-4L3.8 16.2 2 22l5.8-1.8ZM15 5l4 4",
  pause: "M14 4h4v16h-4zM6 4h4v16H6z",
  plus: "M5 12h14M12 5v14",
  "refresh-cw":
    "M3 12a9 9 0 0 1 9-9 9.8 9.8 0 0 1 6.7 2.7L21 8M21 3v5h-5M21 12a9 9 0 0 1-9 9 9.8 9.8 0 0 1-6.7-2.7L3 16M8 16H3v5",
  "rotate-ccw": "M3 12a9 9 0 1 0 9-9 9.8 9.8 0 0 0-6.7 2.7L3 8M3 3v5h5",
  save: "M5 3h11l5 5v11a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2zM7 3v4h8M7 21v-8h10v8",
  search: "M11 3a8 8 0 1 0 0 16 8 8 0 0 0 0-16ZM21 21l-4.3-4.3",
  send: "m22 2-7 20-4-9-9-4ZM22 2 11 13",
  settings: "M4 21v-7M4 10V3M12 21v-9M12 8V3M20 21v-5M20 12V3M1 14h6M9 8h6M17 16h6",
  square: "M5 3h14a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2z",
  "square-pen": "M12 3H5a2 2 0 0 0-2 2v14a2 2 0 0 0 2 2h14a2 2 0 0 0 2-2v-7M18.4 2.6a2.1 2.1 0 0 1 3 3L12 15l-4 1 1-4Z",
  "text-cursor-input":
    "M5 4h1a3 3 0 0 1 3 3 3 3 0 0 1 3-3h1M13 20h-1a3 3 0 0 1-3-3 3 3 0 0 1-3 3H5M5 16H4a2 2 0 0 1-2-2v-4a2 2 0 0 1 2-2h1M13 8h7a2 2 0 0 1 2 2v4a2 2 0 0 1-2 2h-7M9 7v10",
  "text-select":
    "M5 3h2M11 3h2M17 3h2M3 5v2M3 11v2M3 17v2M21 5v2M21 11v2M21 17v2M5 21h2M11 21h2M17 21h2M7 8h8M7 12h10M7 16h6",
  "trash-2": "M3 6h18M19 6v14a2 2 0 0 1-2 2H7a2 2 0 0 1-2-2V6M8 6V4a2 2 0 0 1 2-2h4a2 2 0 0 1 2 2v2M10 11v6M14 11v6",
  "triangle-alert": "M10.3 3.9 1.8 18a2 2 0 0 0 1.7 3h17a2 2 0 0 0 1.7-3L13.7 3.9a2 2 0 0 0-3.4 0ZM12 9v4M12 17h.01",
  waypoints:
    "M12 2a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5ZM10.200 6.300l-3.900 3.900M4.500 9.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5ZM7 12h10M19.500 9.500a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5ZM13.800 17.700l3.900-3.900M12 17a2.500 2.500 0 1 0 0 5 2.500 2.500 0 0 0 0-5Z",
  x: "M18 6 6 18M6 6l12 12",
};

export function draw(name: string): SVGSVGElement {
  const svg = createSvg("svg", { cls: ["svg-icon", `lucide-${name}`], attr: { viewBox: "0 0 24 24" } });
  svg.createSvg("path", { attr: { d: ICONS[name] ?? ICONS["circle"] ?? "" } });
  return svg;
}
