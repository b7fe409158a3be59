/**
 * Where `zib` may be installed. A program with a window does not inherit the shell's PATH, so the places where pipx, uv,
 * pip, a virtual environment and Homebrew put programs are looked at too. Nothing is run to find it.
 */
import { fail } from "./failure";
import type { Host } from "./host";

/** The program to start: `chosen` by the person, or the first candidate. Throws `zib_missing`. */
export async function findZib(host: Host, chosen: string): Promise<string> {
  const named = listNamed(host, chosen);
  for (const candidate of named.length > 0 ? named : listCandidates(host)) {
    if (await host.fileExists(candidate)) return candidate;
  }
  const [path] = named;
  throw path === undefined
    ? fail("zib_missing", "sidecar.missing")
    : fail("zib_missing", "sidecar.missingAt", { path });
}

/** In the order in which they are tried; each once. */
export function listCandidates(host: Host): string[] {
  const windows = host.platform === "win32";
  const folders = windows ? windowsFolders(host) : unixFolders(host);
  const inPath = (host.env.PATH ?? host.env.Path ?? "").split(windows ? ";" : ":");
  const absolute = [...inPath, ...folders].filter((folder) => isAbsolute(host, folder));
  return [...new Set(absolute.map((folder) => join(host, folder, windows ? "zib.exe" : "zib")))];
}

function unixFolders(host: Host): string[] {
  const { env, homeFolder: home } = host;
  const data = env.XDG_DATA_HOME || `${home}/.local/share`;
  return [
    `${home}/.local/bin`, // pipx, uv, pip --user
    env.PIPX_BIN_DIR ?? "",
    env.UV_TOOL_BIN_DIR ?? "",
    env.XDG_BIN_HOME ?? "",
    ...["pipx/venvs", "uv/tools"].map((place) => `${data}/${place}/zibaldone/bin`),
    `${home}/.local/pipx/venvs/zibaldone/bin`,
    ...[".zibaldone", "zibaldone/.venv", "Zibaldone/.venv", ".virtualenvs/zibaldone", ".venvs/zibaldone", ".venv"].map(
      (place) => `${home}/${place}/bin`,
    ),
    "/opt/homebrew/bin",
    "/usr/local/bin",
    "/home/linuxbrew/.linuxbrew/bin",
    "/usr/bin",
    ...(host.platform === "darwin"
      ? pythons(".").flatMap((version) => [
          `${home}/Library/Python/${version}/bin`,
          `/Library/Frameworks/Python.framework/Versions/${version}/bin`,
        ])
      : []),
  ];
}

function windowsFolders(host: Host): string[] {
  const { env, homeFolder: home } = host;
  const local = env.LOCALAPPDATA || `${home}\\AppData\\Local`;
  const roaming = env.APPDATA || `${home}\\AppData\\Roaming`;
  return [
    `${home}\\.local\\bin`, // pipx, uv
    env.PIPX_BIN_DIR ?? "",
    env.UV_TOOL_BIN_DIR ?? "",
    `${home}\\pipx\\venvs\\zibaldone\\Scripts`,
    `${local}\\pipx\\pipx\\venvs\\zibaldone\\Scripts`,
    `${roaming}\\uv\\tools\\zibaldone\\Scripts`,
    ...["zibaldone\\.venv", ".virtualenvs\\zibaldone", ".venv"].map((place) => `${home}\\${place}\\Scripts`),
    ...pythons("").flatMap((version) => [
      `${roaming}\\Python\\Python${version}\\Scripts`,
      `${local}\\Programs\\Python\\Python${version}\\Scripts`,
    ]),
  ];
}

/** The Python versions that Zibaldone may run on, newest first. */
function pythons(dot: string): string[] {
  return [15, 14, 13, 12, 11].map((minor) => `3${dot}${minor}`);
}

/** What a person may mean who writes or pastes `chosen`: quotes around it, `~` for home, the folder, no `.exe`. */
function listNamed(host: Host, chosen: string): string[] {
  const plain = chosen.trim().replace(/^(["'])(.*)\1$/, "$2");
  if (plain === "") return [];
  const path = /^~[\\/]/.test(plain) ? join(host, host.homeFolder, plain.slice(2)) : plain;
  if (host.platform !== "win32") return [path, join(host, path, "zib")];
  // Batch files can only be started by a shell; pip, pipx and uv put a program beside them.
  const program = /\.exe$/i.test(path) ? path : `${path.replace(/\.(cmd|bat|ps1)$/i, "")}.exe`;
  return [program, join(host, path, "zib.exe")];
}

function isAbsolute(host: Host, folder: string): boolean {
  return host.platform === "win32" ? /^([a-z]:)?[\\/]/i.test(folder) : folder.startsWith("/");
}

function join(host: Host, folder: string, name: string): string {
  const [separator, ending] = host.platform === "win32" ? ["\\", /[\\/]+$/] : ["/", /\/+$/];
  return `${folder.replace(ending, "")}${separator}${name}`;
}
