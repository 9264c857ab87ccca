import { didYouMean } from "../util/did-you-mean.ts";
import { isObject } from "../util/is-object.ts";
import { importFile } from "./import-file.ts";
import type { HostPlugin } from "./host-plugin.ts";
import { schemaFaults } from "./schema-faults.ts";

type Fields = Readonly<Record<string, unknown>>;

/** The fields that each thing a plugin brings must have; a field named here too is a list of such things. */
const needed: Readonly<Record<string, readonly string[]>> = {
  tools: ["name", "description", "operations"],
  operations: ["name", "description", "effect", "parameters", "required", "run"],
  providers: ["type", "name", "prefix", "open"],
  storages: ["type", "open"],
  endpoints: ["group", "routes"],
  routes: ["method", "path", "summary", "handle"],
};
const fields = [
  "tools",
  "providers",
  "storages",
  "endpoints",
  "parts",
  "collections",
  "register",
  "start",
  "stop",
];
const functions = new Set(["register", "start", "stop"]);
/** The functions of what a plugin brings, wherever they stand. */
const inner = new Set(["run", "open", "handle", "unavailable", "preview", "reconcile"]);

/** What to write where a field is missing, if its name does not say it. */
const advice: Readonly<Record<string, string>> = {
  effect: "say what a call may do: none, read, write, destructive or execute",
  parameters: "name the parameters, or write {}",
  required: "make it with defineOperation, or write []",
  run: "give it async run(args, context)",
  handle: "give it handle(request, services)",
  open: "give it open(settings, door)",
};

function fieldFaults(place: string, item: Fields | null | undefined, field: string): readonly string[] {
  const value = item?.[field];
  const hint = advice[field] === undefined ? "" : `: ${advice[field]}`;
  if (value === undefined) return [`${place} has no ${field}${hint}`];
  if (inner.has(field) && typeof value !== "function") return [`${place}.${field} must be a function${hint}`];
  return itemFaults(field, value);
}

function itemFaults(list: string, items: unknown): readonly string[] {
  if (!(list in needed) || items === undefined) return [];
  if (!Array.isArray(items)) return [`${list} must be a list`];
  return items.flatMap((item: Fields | null | undefined, index) => {
    const own = typeof item?.["name"] === "string" ? ` (${item["name"]})` : "";
    const more = [...inner].filter((field) => item?.[field] !== undefined);
    const all = new Set([...(needed[list] ?? []), ...more]);
    return [...all].flatMap((field) => fieldFaults(`${list}[${index}]${own}`, item, field));
  });
}

const values = {
  effect: ["none", "read", "write", "destructive", "execute"],
  place: ["paths", "own", "external"],
  recovery: ["repeat", "reconcile", "once"],
} as const;

/** A value that is none of those there are. */
function valueFaults(place: string, value: unknown, allowed: readonly string[]): readonly string[] {
  if (allowed.includes(String(value))) return [];
  const list = allowed.join(", ");
  return [
    `${place} must be one of ${list}, not ${JSON.stringify(value)}.${didYouMean(String(value), allowed)}`,
  ];
}

/** What an operation says of itself that the host could not act on. */
function operationFaults(
  place: string,
  { effect, effects, recovery, ...operation }: Fields,
): readonly string[] {
  const { place: lands, parameters, required } = operation;
  const listed = [effects ?? []].flat();
  const fixed = typeof effect === "function" ? [] : [effect];
  const unknown = [required]
    .flat()
    .filter((name) => isObject(parameters) && !Object.hasOwn(parameters, String(name)));
  return [
    ...[...fixed, ...listed].flatMap((one) => valueFaults(`${place}.effect`, one, values.effect)),
    ...(typeof effect === "function" && listed.length === 0
      ? [`${place}.effects must list what the function effect can answer`]
      : []),
    ...(lands === undefined ? [] : valueFaults(`${place}.place`, lands, values.place)),
    ...(recovery === undefined ? [] : valueFaults(`${place}.recovery`, recovery, values.recovery)),
    ...(recovery === "reconcile" && typeof operation["reconcile"] !== "function"
      ? [`${place}.recovery is "reconcile", so it needs the function reconcile, or another recovery`]
      : []),
    ...schemaFaults(`${place}.parameters`, { properties: parameters }),
    ...unknown.map((name) => `${place}.required names ${String(name)}, which is no parameter`),
  ];
}

/** The operations of the tools in an export whose form is right. */
const operationsIn = (tools: unknown): readonly (readonly [place: string, operation: Fields])[] =>
  (Array.isArray(tools) ? (tools as readonly Fields[]) : []).flatMap((tool) =>
    (tool["operations"] as readonly Fields[]).map(
      (operation) => [`${String(tool["name"])}.${String(operation["name"])}`, operation] as const,
    ),
  );

/** What is wrong with a plugin's default export. */
export function exportFaults(plugin: unknown): readonly string[] {
  if (typeof plugin !== "object" || plugin === null)
    return ["its entry has no default export made by definePlugin"];
  const faults = formFaults(plugin);
  if (faults.length > 0) return faults;
  const { tools } = plugin as { readonly tools?: unknown };
  const operations = operationsIn(tools);
  const places = operations.map(([place]) => place);
  const doubled = new Set(places.filter((place, index) => places.indexOf(place) !== index));
  return [
    ...[...doubled].map((place) => `${place} is there more than once; give each operation its own name`),
    ...operations.flatMap(([place, operation]) => operationFaults(place, operation)),
  ];
}

function formFaults(plugin: object): readonly string[] {
  return Object.entries(plugin).flatMap(([field, value]) => {
    if (!fields.includes(field))
      return [`its default export has a field "${field}" that nobody reads.${didYouMean(field, fields)}`];
    if (functions.has(field) && value !== undefined && typeof value !== "function")
      return [`${field} must be a function`];
    return itemFaults(field, value);
  });
}

/**
 * Imports a plugin into this process. `run`: how its code is run if the build has put it beside the host's,
 * and has looked at what it exports. Rejects when what another exports is not a plugin.
 */
export async function loadPlugin(entry: string, run?: () => unknown): Promise<HostPlugin> {
  if (run !== undefined) return (run() as { readonly default: HostPlugin }).default;
  const { default: plugin } = (await importFile(entry)) as { readonly default?: unknown };
  const faults = exportFaults(plugin);
  if (faults.length > 0) throw new Error(faults.join("; "));
  return plugin as HostPlugin;
}
