import type { SandboxPlan } from "@pergola/sdk/host";
import { foldersAbove } from "../folders-above.ts";
import { namePatterns } from "./name-patterns.ts";

/** A profile, and the paths that it names only as parameters, so that no path can be read as a rule. */
export interface SeatbeltProfile {
  readonly text: string;
  readonly parameters: Readonly<Record<string, string>>;
}

export interface SeatbeltScene {
  /** The real path of what is run. */
  readonly program: string;
  /** A folder of its own to write in; undefined: none. */
  readonly scratch: string | undefined;
  /** The only port that it may reach; undefined: none. */
  readonly proxyPort: number | undefined;
}

const list = (kind: "subpath" | "literal", files: readonly string[]): string =>
  files.map((file) => `(${kind} "${file}")`).join(" ");

const devices = ["/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"];
/** What every program of this system is loaded from. */
const base = [
  ...["/usr/lib", "/System/Library", "/System/Volumes/Preboot/Cryptexes/OS"],
  ...["/private/var/db/dyld", "/private/var/db/timezone"],
];
/** What commands need beside it. */
const system = [
  ...["/usr", "/bin", "/sbin", "/opt", "/Library", "/System", "/private/etc", "/private/var/select"],
  ...["/Applications/Xcode.app", "/private/var/db/xcode_select_link"],
];

const common = [
  "(version 1) (deny default)",
  "(allow sysctl-read) (allow file-read-metadata)",
  `(allow file-read* (literal "/") ${list("literal", devices)} ${list("subpath", base)})`,
  `(allow file-map-executable ${list("subpath", base)})`,
  '(allow file-write-data (literal "/dev/null"))',
];

const forPlugin = [
  "(allow process-info* (target self)) (allow signal (target self))",
  '(allow process-exec file-read* file-map-executable (literal (param "PROGRAM")))',
];

const forProgram = [
  "(allow process-exec) (allow process-fork)",
  "(allow process-info* (target same-sandbox)) (allow signal (target same-sandbox))",
  `(allow file-read* file-map-executable ${list("subpath", system)})`,
  '(deny file-read* (subpath "/Library/Keychains") (literal "/private/etc/sudoers"))',
  '(allow mach-lookup (global-name "com.apple.system.opendirectoryd.libinfo"))',
  '(allow file-read* file-write* file-ioctl (literal "/dev/tty") (regex #"^/dev/ttys[0-9]+$"))',
  '(allow file-write-data (literal "/dev/zero")) (allow file-read* file-write-data (subpath "/dev/fd"))',
];

/** Gives each path a parameter; the same path the same one. */
class Parameters {
  readonly #names = new Map<string, string>();

  name(file: string, name = `P${this.#names.size}`): string {
    const known = this.#names.get(file) ?? name;
    this.#names.set(file, known);
    return `(param "${known}")`;
  }

  subpaths(files: readonly string[]): string {
    return files.map((file) => `(subpath ${this.name(file)})`).join(" ");
  }

  literals(files: readonly string[]): string {
    return files.map((file) => `(literal ${this.name(file)})`).join(" ");
  }

  get all(): Readonly<Record<string, string>> {
    return Object.fromEntries([...this.#names].map(([file, name]) => [name, file]));
  }
}

/** A rule about some paths; nothing where there are none, for then it would be about all. */
const rule = (start: string, filters: string): readonly string[] =>
  filters === "" ? [] : [`(${start} ${filters})`];

/** Later rules win, so what is kept comes after what is given. */
function keepRules({ write, keep, keepNames }: SandboxPlan, parameters: Parameters): readonly string[] {
  const fixed = new Set(keep.flatMap((file) => foldersAbove(file, write)));
  const names = Array.isArray(keepNames) ? (keepNames as readonly string[]) : [];
  const named = write.flatMap((folder) =>
    namePatterns(names).map(
      (pattern) =>
        `(deny file-write* (require-all (subpath ${parameters.name(folder)}) (regex #"${pattern}")))`,
    ),
  );
  return [
    ...rule("deny file-write*", parameters.subpaths(keep)),
    ...rule("deny file-write*", parameters.literals([...fixed])),
    ...named,
  ];
}

const networkRules = (port: number | undefined): readonly string[] => [
  "(deny network*)",
  ...(port === undefined ? [] : [`(allow network-outbound (remote ip "localhost:${port}"))`]),
];

/** The profile of a plan, whose paths are all real, and whose `keepNames` is a list. */
export function seatbeltProfile(plan: SandboxPlan, scene: SeatbeltScene): SeatbeltProfile {
  const { kind, read, write, hide = [] } = plan;
  const parameters = new Parameters();
  parameters.name(scene.program, "PROGRAM");
  const readable = read.map((mount) => (typeof mount === "string" ? mount : mount.from));
  const scratch = scene.scratch === undefined ? [] : [scene.scratch];
  const isPlugin = kind === "plugin";
  const written = parameters.subpaths([...write, ...scratch]);
  const lines = [
    ...common,
    ...(isPlugin ? forPlugin : forProgram),
    ...rule("allow file-read* file-map-executable", parameters.subpaths(readable)),
    ...rule("allow file-read* file-write* file-map-executable", written),
    ...keepRules(plan, parameters),
    ...rule("deny file-read* file-write*", parameters.subpaths(hide)),
    ...(isPlugin ? ["(deny process-fork)"] : []),
    ...networkRules(scene.proxyPort),
  ];
  return { text: lines.join("\n"), parameters: parameters.all };
}
