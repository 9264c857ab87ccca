import {
  ToolError,
  type Conversation,
  type Effect,
  type JsonObject,
  type JsonSchema,
  type OfferedTool,
  type Operation,
  type Parts,
  type RegisteredTool,
  type Tool,
  type ToolEntry,
} from "@pergola/sdk";

import { probeContext } from "./tool-context.ts";

/** Where a tool's name led: the family, and the operation if the name tells it. */
export interface Found {
  readonly entry: RegisteredTool;
  readonly operation: string | undefined;
}

const folded = (name: string): string => name.toLowerCase().replaceAll("-", "_");
const advertised = (tool: Tool): readonly Operation[] => tool.operations.filter(({ hidden }) => hidden !== true);
export const effectsOf = ({ effect, effects }: Operation): readonly Effect[] =>
  typeof effect === "function" ? (effects ?? ["execute"]) : [effect];

/** One right call of an operation, for hints. */
export function exampleCall({ name, parameters, required, examples }: Operation): string {
  const sample = (key: string): unknown =>
    parameters[key]?.default ??
    parameters[key]?.enum?.[0] ??
    (parameters[key]?.type === "array" ? [] : parameters[key]?.type === "integer" ? 1 : `<${key}>`);
  return JSON.stringify({
    operation: name,
    ...(examples?.[0]?.arguments ?? Object.fromEntries(required.map((key) => [key, sample(key)]))),
  });
}

/** The function that a model is offered for a family. */
export function schemaOf(tool: Tool): JsonSchema {
  const operations = advertised(tool);
  const union = Object.assign({}, ...operations.map(({ parameters }) => parameters)) as Record<string, JsonSchema>;
  const properties = Object.fromEntries(Object.entries(union).map(([key, { aliases: _, ...schema }]) => [key, schema]));
  const names = operations.map(({ name }) => name);
  const required = operations.length === 1 ? (operations[0]?.required ?? []) : ["operation"];
  return { type: "object", properties: { operation: { type: "string", enum: names }, ...properties }, required };
}

/** All tool families: found by any of their names, listed, and offered to models. */
export class Toolbox {
  readonly #parts: Parts;
  readonly #entries: readonly RegisteredTool[];
  readonly #names = new Map<string, Found>();
  readonly #offers = new Map<string, OfferedTool>();
  readonly #unavailable = new Map<string, string>();

  constructor(parts: Parts, entries: readonly RegisteredTool[]) {
    this.#parts = parts;
    this.#entries = entries;
    for (const entry of entries) {
      for (const name of [entry.tool.name, ...(entry.tool.names ?? [])]) this.#names.set(folded(name), { entry, operation: undefined });
      this.#offers.set(entry.tool.name, offerOf(entry.tool));
    }
    for (const entry of entries) {
      for (const [alias, operation] of Object.entries(entry.tool.aliases ?? {})) {
        if (!this.#names.has(folded(alias))) this.#names.set(folded(alias), { entry, operation });
      }
    }
  }

  /** Asks every family whether it can be used; a fault counts as a reason. */
  async probe(signal: AbortSignal): Promise<void> {
    await Promise.all(this.#entries.map((entry) => this.#probe(entry, signal)));
  }

  async #probe(entry: RegisteredTool, signal: AbortSignal): Promise<void> {
    const { name, unavailable } = entry.tool;
    const asked = unavailable === undefined ? undefined : Promise.resolve(unavailable(probeContext(this.#parts, entry, signal)));
    const missing = await asked?.catch((error: Error) => ({ reason: error.message, remedy: "" }));
    if (missing === undefined) this.#unavailable.delete(name);
    else this.#unavailable.set(name, `${missing.reason} ${missing.remedy}`.trim());
  }

  find(name: string): Found | undefined {
    const wanted = folded(name.trim());
    const exact = this.#names.get(wanted);
    if (exact !== undefined) return exact;
    const dot = wanted.indexOf(".");
    const family = dot < 0 ? undefined : this.#names.get(wanted.slice(0, dot));
    return family === undefined ? undefined : { entry: family.entry, operation: wanted.slice(dot + 1) };
  }

  /** The operation that a call means. Throws `invalid_operation`, listing what there is. */
  operationOf({ entry, operation }: Found, args: JsonObject): Operation {
    const { tool } = entry;
    const given = operation ?? (typeof args["operation"] === "string" ? args["operation"] : undefined) ?? tool.inferOperation?.(args);
    const shown = advertised(tool);
    const only = given === undefined && shown.length === 1 ? shown[0] : undefined;
    const wanted = folded(given ?? "");
    const found = only ?? tool.operations.find(({ name, aliases = [] }) => name === wanted || aliases.includes(wanted));
    if (found !== undefined) return found;
    const names = shown.map(({ name }) => name).join(", ");
    const problem = given === undefined ? `${tool.name} needs an operation.` : `${tool.name} has no operation "${given}".`;
    throw new ToolError("invalid_operation", problem, {
      hint: `Operations: ${names}. A right call: ${exampleCall(shown[0] as Operation)}`,
    });
  }

  /** Strongest first: the request's switch, the conversation's, the preference, and while nobody has set that, the plugin's own wish. */
  enabled(name: string, switches: Readonly<Record<string, boolean>>, conversation: Conversation | undefined): boolean {
    const { preferences } = this.#parts;
    const isOff = (): boolean =>
      preferences.get<readonly string[]>("tools.disabled").includes(name) ||
      (preferences.isDefault("tools.disabled") && this.find(name)?.entry.plugin.enabledByDefault === false);
    return switches[name] ?? conversation?.settings.toolOverrides?.[name] ?? !isOff();
  }

  isFamily(name: string): boolean {
    return this.#offers.has(name);
  }

  get names(): readonly string[] {
    return [...this.#offers.keys()];
  }

  /** The canonical `family.operation` of a name, and its strongest effect. */
  canonical(name: string): { readonly name: string; readonly effect: Effect } | undefined {
    const found = this.find(name);
    const spec =
      found?.operation === undefined
        ? undefined
        : found.entry.tool.operations.find((one) => one.name === found.operation || one.aliases?.includes(found.operation ?? "") === true);
    return found === undefined || spec === undefined
      ? undefined
      : { name: `${found.entry.tool.name}.${spec.name}`, effect: effectsOf(spec).at(-1) ?? "execute" };
  }

  unavailable(name: string): string | undefined {
    return this.#unavailable.get(name);
  }

  offered(
    choice: "all" | "none" | readonly string[],
    switches: Readonly<Record<string, boolean>>,
    conversation: Conversation,
  ): readonly OfferedTool[] {
    if (choice === "none" || conversation.settings.enableTools === false) return [];
    return this.#entries
      .map(({ tool }) => tool.name)
      .filter(
        (name) => (choice === "all" || choice.includes(name)) && this.enabled(name, switches, conversation) && !this.#unavailable.has(name),
      )
      .map((name) => this.#offers.get(name) as OfferedTool);
  }

  list(conversation: Conversation | undefined): readonly ToolEntry[] {
    return this.#entries.map(({ tool, plugin }) => ({
      name: tool.name,
      description: tool.description,
      enabled: this.enabled(tool.name, {}, conversation),
      enabledByDefault: plugin.enabledByDefault,
      available: !this.#unavailable.has(tool.name),
      unavailableReason: this.#unavailable.get(tool.name) ?? null,
      operations: advertised(tool).map((operation) => {
        const { name, description, required } = operation;
        return { name, effect: effectsOf(operation).at(-1) ?? "none", description, required };
      }),
      inputSchema: schemaOf(tool),
      source: plugin.id,
    }));
  }
}

function offerOf(tool: Tool): OfferedTool {
  const operations = advertised(tool).map((operation) => {
    const { name, description, parameters, required, examples = [] } = operation;
    return { name, description, effects: effectsOf(operation), parameters, required, examples };
  });
  const lines = operations.map(({ name, description, required }) => `${name}(${required.join(", ")}): ${description}`);
  const description = operations.length === 1 ? tool.description : `${tool.description}\n${lines.join("\n")}`;
  return { name: tool.name, description, parameters: schemaOf(tool), operations };
}
