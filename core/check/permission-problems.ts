import type { Properties } from "@pergola/sdk";
import { holdsSecret, type CompleteManifest, type Permissions } from "@pergola/sdk/host";
import type { Problem } from "./problem.ts";

/** A way out of the context, and the permission that it needs. */
interface Way {
  readonly member: string;
  /** What stands behind the member in a use of it. */
  readonly use: string;
  readonly permission: keyof Permissions;
  /** What to add to `permissions`. */
  readonly entry: string;
}

const ways: readonly Way[] = [
  { member: "fetch", use: String.raw`\(`, permission: "network", entry: `"network": ["the.host"]` },
  { member: "spawn", use: String.raw`\(`, permission: "processes", entry: `"processes": ["the-program"]` },
  { member: "files", use: String.raw`\.`, permission: "files", entry: `"files": "workspace"` },
];

type Code = ReadonlyMap<string, string>;
type Declared = Pick<CompleteManifest, "settings" | "permissions">;

/** Each line stays where it is. */
const withoutComments = (text: string): string =>
  text
    .replaceAll(/\/\*[^]*?\*\//g, (comment) => comment.replaceAll(/[^\n]/g, ""))
    .replaceAll(/(^|\s)\/\/[^\n]*/g, "$1");

/** The second parameter of functions called `run`: a name, or the members that are taken out of it. */
const runs =
  /\brun\s*(?::\s*)?(?:async\s*)?(?:function\s*[\w$]*\s*)?\(\s*(?:\{[^{}]*\}|[\w$]+)\s*(?::[^,()]+)?,\s*([\w$]+|\{[^{}]*\})/g;

function contextsIn(text: string): { readonly names: readonly string[]; readonly taken: readonly string[] } {
  const found = [...text.matchAll(runs)].map(([, parameter = ""]) => parameter);
  const taken = found
    .filter((parameter) => parameter.startsWith("{"))
    .flatMap((parameter) => [...parameter.matchAll(/[{,]\s*([\w$]+)/g)].map(([, name = ""]) => name));
  const names = found.filter((parameter) => !parameter.startsWith("{"));
  return { names: [...new Set(["context", ...names])], taken };
}

const isGiven = (granted: Permissions[keyof Permissions]): boolean =>
  granted !== undefined && granted !== "none" && (!Array.isArray(granted) || granted.length > 0);

const anyOf = (names: readonly string[]): string =>
  names.map((name) => name.replaceAll("$", "[$]")).join("|");

/** `file:line` of the first match. */
function placeOf(code: Code, matches: (text: string) => number): string | undefined {
  for (const [file, raw] of code) {
    const text = withoutComments(raw);
    const at = matches(text);
    if (at >= 0) return `${file}:${text.slice(0, at).split("\n").length}`;
  }
  return undefined;
}

function useOf(code: Code, { member, use }: Way): string | undefined {
  return placeOf(code, (text) => {
    const { names, taken } = contextsIn(text);
    const at = text.search(new RegExp(String.raw`(?<![\w$.])(?:${anyOf(names)})\.${member}${use}`));
    if (at >= 0 || !taken.includes(member)) return at;
    return text.search(new RegExp(String.raw`(?<![\w$.])${member}${use}`));
  });
}

/** A setting that is an address opens the network to that address. */
const namesAddress = (settings: Properties): boolean =>
  Object.values(settings).some(({ format }) => format === "uri");

function wayProblems(code: Code, { permissions, settings }: Declared): readonly Problem[] {
  return ways.flatMap((way) => {
    if (isGiven(permissions[way.permission])) return [];
    if (way.permission === "network" && namesAddress(settings)) return [];
    const place = useOf(code, way);
    if (place === undefined) return [];
    return [
      {
        message: `${place} uses context.${way.member}, and the plugin has no permission ${way.permission}`,
        remedy: `Add ${way.entry} to permissions, with what it really needs; else calls are refused.`,
      },
    ];
  });
}

/** Secrets that the code reads by a key that nobody has permitted. */
function readProblems(code: Code, { secrets = [] }: Permissions): readonly Problem[] {
  const reads = [...code].flatMap(([file, raw]) => {
    const text = withoutComments(raw);
    const { names, taken } = contextsIn(text);
    const bare = taken.includes("secret") ? "|(?<![\\w$.])" : "";
    const call = new RegExp(
      String.raw`(?:(?<![\w$.])(?:${anyOf(names)})\.${bare})secret\(\s*["']([^"']+)`,
      "g",
    );
    return [...text.matchAll(call)].map(
      ({ 1: key = "", index }) => [key, `${file}:${text.slice(0, index).split("\n").length}`] as const,
    );
  });
  const refused = new Map(
    reads.filter(([key]) => !secrets.some((own) => key === own || key.startsWith(`${own}.`))),
  );
  return [...refused].map(([key, place]) => ({
    message: `${place} reads the secret ${key}, which permissions.secrets does not name`,
    remedy: `Add "${key}" to permissions.secrets, and declare it under settings with "x-secret": true.`,
  }));
}

/** Secrets that a person could set, and the plugin could not read. */
const unreadable = ({ settings, permissions }: Declared): readonly Problem[] =>
  Object.entries(settings)
    .filter(([key, schema]) => holdsSecret(schema) && permissions.secrets?.includes(key) !== true)
    .map(([key]) => ({
      message: `settings.${key} is secret, and the plugin may not read it`,
      remedy: `Add "${key}" to permissions.secrets, and read it with await context.secret("${key}").`,
    }));

/**
 * What the operations of a tool would be refused, as far as its code shows it: the uses of `context` by this
 * name, and by that of the second parameter of `run`. `code` has the texts by their names.
 */
export const permissionProblems = (code: Code, manifest: Declared): readonly Problem[] => [
  ...wayProblems(code, manifest),
  ...readProblems(code, manifest.permissions),
  ...unreadable(manifest),
];
