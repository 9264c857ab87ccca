import {
  ToolError,
  type Conversation,
  type Effect,
  type JsonObject,
  type OfferedTool,
  type Operation,
  type Tool,
  type ToolEntry,
} from "@pergola/sdk";
import { withDeadline, type Parts, type RegisteredTool, type ToolKeeper } from "@pergola/sdk/host";
import { advertised, effectsOf, exampleCall, offerOf, schemaOf } from "./describe-tool.ts";
import { helpOf } from "./help.ts";
import { fitOffers, fitWhole, formsOf, offerRoom, type Forms } from "./short-offers.ts";
import { probeContext } from "./tool-context.ts";

/** Where a tool's name led: the family, and the operation if the name tells it. */
export interface Found {
  readonly entry: RegisteredTool;
  readonly operation: string | undefined;
  /** What the name says beside the operation; the call's own arguments win. */
  readonly arguments?: JsonObject;
}

type OfferRequest = Partial<Parameters<ToolKeeper["listOffered"]>[0]> & { readonly contextWindow: number };

/** Runs of a conversation that tell which families it uses. */
const recentRuns = 20;

/** A family whose operations are not Pergola's own. */
const isThirdParty = ({ tool, plugin }: RegisteredTool): boolean =>
  tool.thirdParty ?? !plugin.package.startsWith("@pergola/");

const folded = (name: string): string => name.toLowerCase().replaceAll("-", "_");

/** All tool families: found by any of their names, listed, and offered to models. */
export class Toolbox {
  readonly #parts: Parts;
  readonly #entries: readonly RegisteredTool[];
  readonly #names = new Map<string, Found>();
  readonly #offers = new Map<string, Forms>();
  readonly #help = new Map<string, Operation>();
  readonly #unavailable = new Map<string, string>();

  constructor(parts: Parts, entries: readonly RegisteredTool[]) {
    this.#parts = parts;
    this.#entries = entries;
    for (const entry of entries) {
      for (const name of [entry.tool.name, ...(entry.tool.names ?? [])])
        this.#names.set(folded(name), { entry, operation: undefined });
      this.#offers.set(entry.tool.name, formsOf(offerOf(entry.tool), isThirdParty(entry)));
      this.#help.set(entry.tool.name, helpOf(entry.tool));
    }
    for (const entry of entries) {
      const aliases = Object.entries(entry.tool.aliases ?? {}).map(
        ([alias, operation]) => [alias, { operation }] as const,
      );
      for (const [alias, target] of [...aliases, ...Object.entries(entry.tool.shortcuts ?? {})]) {
        if (!this.#names.has(folded(alias))) this.#names.set(folded(alias), { entry, ...target });
      }
    }
  }

  /**
   * Asks every family whether it can be used, and waits so many milliseconds for its word; a fault counts as
   * a reason.
   */
  async probe(signal: AbortSignal, patience = 12_000): Promise<void> {
    await Promise.all(this.#entries.map((entry) => this.#probe(entry, signal, patience)));
  }

  /** Asks those anew to whom these preferences belong. */
  async probeAgain(keys: readonly string[], signal: AbortSignal, patience = 12_000): Promise<void> {
    const owned = this.#entries.filter(({ plugin }) =>
      keys.some((key) => Object.hasOwn(plugin.preferences, key)),
    );
    await Promise.all(owned.map((entry) => this.#probe(entry, signal, patience)));
  }

  async #probe(entry: RegisteredTool, signal: AbortSignal, patience: number): Promise<void> {
    const { name } = entry.tool;
    const ask = async () => entry.tool.unavailable?.(probeContext(this.#parts, entry, signal));
    const late = (): Error => new Error(`It did not say within ${patience / 1000} s whether it can be used.`);
    const missing = await withDeadline(ask(), patience, late).catch((error: Error) => ({
      reason: error.message,
      remedy: "",
    }));
    if (missing === undefined) this.#unavailable.delete(name);
    else this.#unavailable.set(name, `${missing.reason} ${missing.remedy}`.trim());
  }

  find(name: string): Found | undefined {
    const key = folded(name.trim());
    const exact = this.#names.get(key);
    if (exact !== undefined) return exact;
    const dot = key.indexOf(".");
    const family = this.#names.get(key.slice(0, dot));
    if (dot < 0 || family === undefined) return undefined;
    return { entry: family.entry, operation: key.slice(dot + 1) };
  }

  /**
   * The same for a call: an operation that one family takes in another's name stands among its names as
   * `family.operation`.
   */
  lookUp(name: string, { operation }: JsonObject): Found | undefined {
    if (typeof operation !== "string") return this.find(name);
    return this.#names.get(`${folded(name.trim())}.${folded(operation)}`) ?? this.find(name);
  }

  /** The operation that a call means. Throws `invalid_operation`, listing what there is. */
  operationOf({ entry, operation }: Found, args: JsonObject): Operation {
    const { tool } = entry;
    const argument = typeof args["operation"] === "string" ? args["operation"] : undefined;
    const name = operation ?? argument ?? tool.inferOperation?.(args);
    const [first, ...others] = advertised(tool);
    if (name === undefined) {
      if (first !== undefined && others.length === 0) return first;
      throw invalidOperation(tool, `${tool.name} needs an operation.`);
    }
    const key = folded(name);
    const found = named(tool, key);
    if (found !== undefined) return found;
    const help = this.#help.get(tool.name);
    if (key === "help" && help !== undefined) return help;
    throw invalidOperation(tool, `${tool.name} has no operation "${name}".`);
  }

  /**
   * Strongest first: the request's switch, the conversation's, the preference, and while nobody has set that,
   * the plugin's own wish.
   */
  enabled(
    name: string,
    switches: Readonly<Record<string, boolean>>,
    conversation: Conversation | undefined,
  ): boolean {
    const { preferences } = this.#parts;
    const isOff = (): boolean =>
      preferences.get<readonly string[]>("tools.disabled").includes(name) ||
      (preferences.isDefault("tools.disabled") && this.find(name)?.entry.plugin.enabledByDefault === false);
    return switches[name] ?? conversation?.settings.toolOverrides?.[name] ?? !isOff();
  }

  /**
   * The families that are off while nobody has set anything, and what the default of the preference names
   * besides.
   */
  get usuallyOff(): readonly string[] {
    const { schema } = this.#parts.preferences.list().find(({ key }) => key === "tools.disabled") ?? {};
    const shy = this.#entries.filter(({ plugin }) => !plugin.enabledByDefault).map(({ tool }) => tool.name);
    return [...new Set([...((schema?.default ?? []) as readonly string[]), ...shy])];
  }

  isFamily(name: string): boolean {
    return this.#offers.has(name);
  }

  get names(): readonly string[] {
    return [...this.#offers.keys()];
  }

  /** `family.operation` of everything that can be called. */
  get operationNames(): readonly string[] {
    return this.#entries.flatMap(({ tool }) => tool.operations.map(({ name }) => `${tool.name}.${name}`));
  }

  /** The canonical `family.operation` of a name, and its strongest effect. */
  canonical(name: string): { readonly name: string; readonly effect: Effect } | undefined {
    const found = this.find(name);
    if (found?.operation === undefined) return undefined;
    const { entry, operation } = found;
    const spec = named(entry.tool, operation);
    if (spec === undefined) return undefined;
    return { name: `${entry.tool.name}.${spec.name}`, effect: effectsOf(spec).at(-1) ?? "execute" };
  }

  unavailable(name: string): string | undefined {
    return this.#unavailable.get(name);
  }

  /** What a model is offered, as much of it as its context window has room for. */
  async offered({
    choice = "all",
    switches = {},
    conversation,
    contextWindow,
    caller,
    isNew = false,
  }: OfferRequest): Promise<readonly OfferedTool[]> {
    if (choice === "none" || conversation?.settings.enableTools === false) return [];
    const mayAct = caller?.scopes.includes("tools") !== false;
    const isOffered = (name: string): boolean =>
      (choice === "all" || choice.includes(name)) &&
      (mayAct || this.#isHarmless(name)) &&
      this.enabled(name, switches, conversation) &&
      !this.#unavailable.has(name);
    const names = this.#listed.map(({ tool }) => tool.name).filter(isOffered);
    const families = names.map((name) => this.#offers.get(name) as Forms);
    const room = offerRoom(contextWindow, this.#parts.preferences.get("tools.offer_tokens"));
    if (fitWhole(families, room)) return families.map(([whole]) => whole);
    const uses = isNew ? [] : await this.#usesIn(conversation);
    const usesOf = (name: string): number => uses.filter((used) => used === name).length;
    return fitOffers(
      families.map((forms) => ({ forms, uses: usesOf(forms[0].name) })),
      room,
    );
  }

  /** Whether nothing that the family does has an effect, not even reading. */
  #isHarmless(name: string): boolean {
    const operations = this.find(name)?.entry.tool.operations ?? [];
    return operations.every((operation) => effectsOf(operation).every((effect) => effect === "none"));
  }

  /** The families that the conversation's latest runs have used. */
  async #usesIn(conversation: Conversation | undefined): Promise<readonly string[]> {
    if (conversation === undefined) return [];
    const { items } = await this.#parts.runs.list({ conversationId: conversation.id, limit: recentRuns });
    return items.flatMap(({ toolsUsed }) => toolsUsed);
  }

  /** The families that are shown. */
  get #listed(): readonly RegisteredTool[] {
    return this.#entries.filter(({ tool }) => tool.hidden !== true);
  }

  list(conversation: Conversation | undefined): readonly ToolEntry[] {
    return this.#listed.map(({ tool, plugin }) => ({
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

const named = ({ operations }: Tool, key: string): Operation | undefined =>
  operations.find(({ name, aliases = [] }) => name === key || aliases.includes(key));

function invalidOperation(tool: Tool, problem: string): ToolError {
  const shown = advertised(tool);
  const operations = shown.length === 0 ? tool.operations : shown;
  const names = operations.map(({ name }) => name).join(", ");
  return new ToolError("invalid_operation", problem, {
    hint: `Operations: ${names}. A right call: ${exampleCall(operations[0] as Operation)}`,
  });
}
