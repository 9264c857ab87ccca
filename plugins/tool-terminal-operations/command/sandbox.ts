import type { Place } from "./place.ts";

/** What programs need of the system; what does not exist is left out. */
const system = [
  "/usr",
  "/bin",
  "/sbin",
  "/lib",
  "/lib32",
  "/lib64",
  "/opt",
  "/nix",
  "/etc/alternatives",
  "/etc/ssl",
  "/etc/ca-certificates",
];
const files = [
  "/etc/ld.so.cache",
  "/etc/ld.so.conf",
  "/etc/ld.so.conf.d",
  "/etc/localtime",
  "/etc/passwd",
  "/etc/group",
  "/etc/mime.types",
];
const network = ["/etc/resolv.conf", "/etc/hosts", "/etc/nsswitch.conf", "/etc/services"];

const isolation = [
  "--unshare-user",
  "--unshare-pid",
  "--unshare-ipc",
  "--unshare-uts",
  "--die-with-parent",
  "--cap-drop",
  "ALL",
  "--disable-userns",
];

interface Sandbox extends Place {
  readonly network: boolean;
  /**
   * The program gets a terminal of its own: its control keys need the session that the terminal belongs to.
   */
  readonly hasTerminal: boolean;
}

/**
 * Arguments of bwrap (bubblewrap 0.8): the system read-only, the working directory as it is but for what
 * other programs execute or trust in it, an empty home, processes of its own that all end with the first one,
 * no capabilities, no further namespaces, and no network unless it is asked for.
 */
export function sandboxArguments({
  workingDirectory,
  folder,
  network: reachesNetwork,
  hasTerminal,
  protectedPlaces = [],
}: Sandbox): readonly string[] {
  const readable = [...system, ...files];
  const options = [...isolation];
  if (reachesNetwork) readable.push(...network);
  else options.push("--unshare-net");
  if (!hasTerminal) options.push("--new-session");
  return [
    ...options,
    ...readable.flatMap((path) => ["--ro-bind-try", path, path]),
    "--proc",
    "/proc",
    "--dev",
    "/dev",
    "--tmpfs",
    "/tmp",
    "--dir",
    "/tmp/home",
    "--setenv",
    "HOME",
    "/tmp/home",
    "--unsetenv",
    "TMPDIR",
    ...[workingDirectory, folder].flatMap((path) => ["--bind", path, path]),
    ...protectedPlaces.flatMap(({ fixed }) => fixed).flatMap((path) => ["--bind", path, path]),
    ...protectedPlaces.flatMap(({ readOnly }) => readOnly).flatMap((path) => ["--ro-bind", path, path]),
    "--remount-ro",
    "/",
    "--chdir",
    folder,
  ];
}
