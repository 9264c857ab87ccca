import { program } from "./program.ts";

/** What Python needs to run: the interpreter and the libraries of the system, all read-only. */
const needed = ["/usr/bin/python3", "/usr/lib", "/lib"];
const neededOnSome = ["/usr/lib64", "/lib64"];

const bindings = [
  ...needed.flatMap((path) => ["--ro-bind", path, path]),
  ...neededOnSome.flatMap((path) => ["--ro-bind-try", path, path]),
];

/**
 * Arguments of bubblewrap for one Python program that comes on stdin. It has namespaces of its own for all
 * there is (no network, no other process in sight), no capability, an empty environment and a read-only file
 * system with nothing in it but the interpreter and libraries; it ends with the service. The interpreter
 * itself sets the limits and closes the last doors (`program.ts`).
 */
export const sandbox: readonly string[] = [
  "--unshare-all",
  "--unshare-user",
  "--uid",
  "65534",
  "--gid",
  "65534",
  "--cap-drop",
  "ALL",
  "--die-with-parent",
  "--new-session",
  "--clearenv",
  "--hostname",
  "sandbox",
  ...bindings,
  "--remount-ro",
  "/",
  "--chdir",
  "/",
  "/usr/bin/python3",
  "-I",
  "-B",
  "-X",
  "utf8",
  "-c",
  program,
];
