import { writeFileSync } from "node:fs";
import path from "node:path";
import { toolCode, writePlugin, type PluginSource } from "./write-plugin.ts";

export interface Broken extends PluginSource {
  /** What its fault says. */
  readonly said: string;
  readonly isolation?: "process";
  /** Stands in plugin.json instead of a manifest. */
  readonly text?: string;
}

const policy = (id: string, code: string, said: string, hooks: readonly string[] = []): Broken => ({
  id: `policy-${id}`,
  kind: "policy",
  provides: { hooks: [...hooks] },
  code: `export default { ${code} };`,
  said: `policy-${id}, ${said}`,
});
const never = "new Promise(() => {})";
const tool = { provides: { tools: { broken: ["go"] } }, code: toolCode("broken", "return { data: 1 };") };

/** What never gets to work. */
export const throwing: readonly Broken[] = [
  { id: "tool-unreadable", text: "{", said: "tool-unreadable, manifest: " },
  { id: "tool-unfit", manifest: { kind: "gadget" }, said: "tool-unfit, manifest: kind must be" },
  {
    id: "tool-odd",
    manifest: { provide: {} },
    said: `tool-odd, manifest: provide is not known (did you mean "provides"?)`,
  },
  {
    id: "tool-from-tomorrow",
    manifest: { sdk: "^9" },
    said: "tool-from-tomorrow, manifest: it is made for SDK ^9",
  },
  {
    id: "tool-untrue",
    provides: { tools: { other: ["go"] } },
    code: tool.code,
    said: "tool-untrue, collect: the manifest promises other",
  },
  { id: "tool-throws", code: `throw new Error("no luck");`, said: "tool-throws, import: no luck" },
  {
    id: "tool-throws-alone",
    code: `throw new Error("no luck");`,
    isolation: "process",
    said: "tool-throws-alone, import: no luck",
  },
  policy("register", `register() { throw new Error("no luck"); }`, "register: no luck"),
  policy("register-later", `async register() { throw new Error("no luck"); }`, "register: no luck"),
  policy("start", `start() { throw new Error("no luck"); }`, "start: no luck"),
  policy(
    "collect",
    `register(host) { host.tap("collectTools", () => { throw new Error("no luck"); }); }`,
    "collectTools: no luck",
    ["collectTools"],
  ),
  policy(
    "needs",
    `register(host) { host.tap("noSuchHook", () => 1); }`,
    `register: there is no hook "noSuchHook"`,
  ),
];

/** The same; each costs a deadline. */
export const hanging: readonly Broken[] = [
  { id: "tool-hangs", code: `await ${never};`, said: "tool-hangs, import: it took longer than" },
  {
    id: "tool-hangs-alone",
    code: "for (;;);",
    isolation: "process",
    said: "tool-hangs-alone, import: it took longer than",
  },
  policy("slow-register", `register: () => ${never}`, "register: it took longer than"),
  policy("slow-start", `start: () => ${never}`, "start: it took longer than"),
  policy(
    "slow-collect",
    `register(host) { host.tap("collectTools", () => ${never}); }`,
    "collectTools: took longer than",
    ["collectTools"],
  ),
];

/** A part of the host that cannot be made. */
export const brokenPart = (part: string): Broken => ({
  id: `service-${part}-broken`,
  kind: "service",
  provides: { parts: [part] },
  code: `export default { parts: { ${part}() { throw new Error("no luck"); } } };`,
  said: `service-${part}-broken, open: the part "${part}" could not be made: no luck`,
});

const tap = (name: string, body: string): string => `host.tap("${name}", (one) => { ${body} });`;
const taps = {
  shapeChat: `if (one.sampling.temperature === 0.1) throw new Error("no chat"); return one;`,
  shapeModelCall: `if (one.sampling.temperature === 0.2) return ${never}; return one;`,
  authorizeToolCall: `if (one.arguments.path === "odd") throw new Error("no verdict");`,
  toolCallEnded: `throw new Error("no notice");`,
  runEnded: `return ${never};`,
};

/**
 * Runs, and goes wrong in its hooks: always in notices, elsewhere at a temperature of 0.1 (throws) or 0.2
 * (hangs), or for the path `odd`.
 */
export const failingPolicy: PluginSource = {
  id: "policy-failing",
  kind: "policy",
  provides: { hooks: Object.keys(taps) },
  code: `export default { register(host) { ${Object.entries(taps)
    .map(([name, body]) => tap(name, body))
    .join("\n")} } };`,
};

const misbehaves = `
  if (args.how === "throw") throw new TypeError("no luck");
  if (args.how === "hang") await ${never};
  if (args.how === "spin") for (;;);
  if (args.how === "exit") process.exit(1);
  if (args.how === "late") { setTimeout(() => { throw new Error("too late"); }); Promise.reject(new Error("unwatched")); }
  return { data: "fine" };`;

/** A tool that does what its argument `how` says. */
export const misbehaving = (id: string, name: string): PluginSource => ({
  id,
  provides: { tools: { [name]: ["go"] } },
  code: toolCode(name, misbehaves).replace("parameters: {}", `parameters: { how: { type: "string" } }`),
});

type Source = PluginSource & Pick<Broken, "text"> & { readonly isolation?: string };

/** Writes a plugin below a folder and gives back its entry in the settings. */
export function entryOf(
  parent: string,
  { isolation = "trusted", text, ...source }: Source,
): { readonly use: string; readonly isolation: string } {
  const use = writePlugin(parent, source);
  if (text !== undefined) writeFileSync(path.join(use, "plugin.json"), text);
  return { use, isolation };
}
