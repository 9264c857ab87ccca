import { answerInquiry, Inquiries } from "@pergola/kit-mcp";
import { defined, messageOf, ToolError, type Effect } from "@pergola/sdk";
import type { Operation, OperationResult, ToolContext } from "@pergola/sdk";
import { withDeadline } from "@pergola/sdk/host";
import { approveLaunch, approveTools } from "./approve-changes.ts";
import { compare, sameLaunch, sighted } from "./compare.ts";
import { Connection } from "./connection.ts";
import { unapproved } from "./failure-of.ts";
import type { KnownServer } from "./known-servers.ts";
import type { Link } from "./link.ts";
import { digestOf, type McpTool } from "./mcp-tool.ts";
import { openLink } from "./open-link.ts";
import { offeredOperations } from "./offered-operations.ts";
import type { ToolCall } from "./operations-of.ts";
import { PromptList } from "./prompts/prompt-list.ts";
import { reach, type Reach } from "./reach.ts";
import { renderContent } from "./render-content.ts";
import { Soon } from "./soon.ts";
import type { Ask } from "./text-operations.ts";
import { ToolList } from "./tool-list.ts";
import { whyUnavailable } from "./why-unavailable.ts";
import { SignIn } from "./sign-in/sign-in.ts";
import type { ServerOptions } from "./server-options.ts";
import { bareFact, faultOf, launchOf, wallsOf, type ServerSettings } from "./server-settings.ts";

/** Milliseconds after which a list is read again that a server calls outdated. */
const pause = 500;

/** One MCP server: what the person has approved of it, and the way to it. */
export class McpServer {
  readonly name: string;
  readonly signIn: SignIn;
  readonly prompts: PromptList;
  readonly #options: ServerOptions;
  readonly #connection: Connection;
  readonly #inquiries: Inquiries<ToolContext>;
  readonly #tools = new ToolList();
  #known: KnownServer | undefined;
  #operations: readonly Operation[] = [];
  #changed: () => void = () => undefined;
  #unreached = "";
  /** Why its tools are not called any more; empty while they are. */
  #retired = "";

  constructor(name: string, options: ServerOptions) {
    this.name = name;
    this.#options = options;
    const { settings, deadline, clock, sandbox, note } = options;
    this.signIn = new SignIn(name, settings);
    this.#inquiries = new Inquiries((inquiry, call) => answerInquiry(name, inquiry, call));
    const { signIn } = this;
    const look = new Soon(pause, () => void this.#lookAgain());
    const outdated = (): void => look.ask();
    const { ask } = this.#inquiries;
    this.#connection = new Connection((closed) => {
      if (wallsOf(settings) === "not sandboxed") note(bareFact(name, settings));
      return openLink(settings, { deadline, ask, closed, outdated, sandbox, signIn });
    }, clock);
    this.prompts = new PromptList({
      connection: this.#connection,
      reach: (work, how) => this.#reach(work, how),
      stored: () => (this.isLaunchApproved ? (this.#known?.prompts ?? []) : []),
      changed: async () => void (this.#known && (await this.#save(this.#known))),
    });
  }

  /** The tools that are approved; those that have changed since are hidden, and refuse. */
  get operations(): readonly Operation[] {
    return this.#operations;
  }

  /**
   * Reads what is known. A server that was never met is met now: who named it in the settings wants its tools
   * as they are today.
   */
  async collect(): Promise<void> {
    await this.load();
    if (this.#known !== undefined || faultOf(this.#options.settings) !== undefined) return;
    await this.#meet().catch(({ message }: Error) => {
      this.#unreached = message;
      this.#options.log.warn({ server: this.name, reason: message }, "an MCP server cannot be used");
    });
    await this.#connection.close();
  }

  async load(): Promise<void> {
    this.#use(await this.#options.known.read(this.name));
  }

  get settings(): ServerSettings {
    return this.#options.settings;
  }

  get known(): KnownServer | undefined {
    return this.#known;
  }

  get isLaunchApproved(): boolean {
    return this.#known !== undefined && sameLaunch(this.#known.launch, launchOf(this.settings));
  }

  get connection(): Connection["state"] {
    return this.#connection.state;
  }

  /** What went wrong last; empty where nothing did. */
  get lastError(): string {
    return faultOf(this.settings) ?? (this.signIn.fault || this.#unreached || this.#connection.fault);
  }

  /** From now on `changed` is called when something that it says of itself has changed. */
  watch(changed: () => void): void {
    this.#changed = changed;
    this.#connection.changed = changed;
  }

  /** Its entry is another one or gone: it ends, and its tools refuse until the next start. */
  async retire(reason: string): Promise<void> {
    this.#retired = reason;
    await this.end();
  }

  /**
   * Connects now, and looks at its tools; a server that was never met is approved as it is. What goes wrong
   * is its last error. The command of an entry that is not approved is not started.
   */
  async inspect(signal: AbortSignal): Promise<void> {
    if (faultOf(this.settings) !== undefined) return;
    if (this.#known !== undefined && !this.isLaunchApproved) return;
    this.#connection.forgive();
    try {
      const link = await this.#connection.link(signal);
      await this.prompts.note(link);
      await this.#take(await this.#tools.again(link));
      this.#unreached = "";
    } catch (error) {
      this.#unreached = messageOf(error);
    }
    this.#connection.tried();
    this.#changed();
  }

  /** Takes over its entry, or its tools as they were listed last. */
  async approve(what: "launch" | "tools"): Promise<void> {
    const launch = launchOf(this.settings);
    const known = this.#known ?? { launch, tools: [], changed: [], fresh: [] };
    const { tools, seen = tools } = known;
    if (what === "launch") await this.#save({ ...known, launch });
    else await this.#save({ launch, tools: seen, changed: [], fresh: [] });
  }

  unavailable(): { readonly reason: string; readonly remedy: string } | undefined {
    return whyUnavailable({
      name: this.name,
      retired: this.#retired,
      fault: faultOf(this.settings),
      wasMet: this.#known !== undefined,
      unreached: this.#unreached,
      isLaunchApproved: this.isLaunchApproved,
      offered: this.#offered,
    });
  }

  status() {
    const { changed = [], fresh = [] } = this.#known ?? {};
    return {
      server: this.name,
      connected: this.#connection.state === "open",
      sandbox: wallsOf(this.#options.settings),
      tools: this.#offered,
      changed,
      fresh,
      reason: this.unavailable()?.reason ?? null,
    };
  }

  /** Throws ToolError for a tool that is not as it was approved, and for whatever goes wrong on the way. */
  call({ tool, arguments: args, effect }: ToolCall, context: ToolContext): Promise<OperationResult> {
    const progress = (text: string): void => context.progress(text);
    const { signal, trace } = context;
    const ask: Ask = async (link) => {
      await this.#checkUnchanged(link, tool);
      return link.call(tool.name, args, { signal, progress, trace });
    };
    return this.#ask(ask, effect, context);
  }

  /** Shows the person all that is not approved, whole, and takes it over after a yes. */
  async review(context: ToolContext): Promise<OperationResult> {
    const fault = faultOf(this.#options.settings);
    if (fault !== undefined)
      throw new ToolError("unavailable", fault, {
        hint: "The person can correct mcp.servers in the settings.",
      });
    const launch = launchOf(this.#options.settings);
    const before = this.#known;
    await approveLaunch(context, this.name, before, launch);
    const link = await this.#connection.link(context.signal);
    const tools = await this.#tools.of(link);
    if (before !== undefined) await this.#save(sighted({ ...before, launch }, tools));
    await approveTools(context, this.name, before, tools);
    await this.#save({ launch, tools, changed: [], fresh: [] });
    return {
      data: this.status(),
      message: `${tools.length} tools are approved. What models are offered changes with the next start.`,
    };
  }

  /** Another sign-in counts from the next call on. */
  reconnect(): Promise<void> {
    return this.#connection.close();
  }

  end(): Promise<void> {
    return this.#connection.end();
  }

  get #offered(): number {
    return this.#operations.filter(({ hidden }) => hidden !== true).length;
  }

  async #meet(): Promise<void> {
    const { deadline } = this.#options;
    const listing = this.#connection.link(new AbortController().signal).then(async (link) => {
      await this.prompts.note(link);
      return this.#tools.of(link);
    });
    const late = (): Error => new Error(`It was not ready within ${deadline / 1000} s.`);
    await this.#take(await withDeadline(listing, deadline, late));
  }

  /** Of a server that was never met all is approved: who named it wants its tools as they are today. */
  async #take(tools: readonly McpTool[]): Promise<void> {
    const launch = launchOf(this.settings);
    if (this.#known === undefined) await this.#save({ launch, tools, changed: [], fresh: [] });
    else await this.#save(sighted(this.#known, tools));
  }

  async #checkUnchanged(link: Link, tool: McpTool): Promise<void> {
    const tools = await this.#look(link);
    const now = tools.find(({ name }) => name === tool.name);
    if (now === undefined || digestOf(now) !== digestOf(tool))
      throw unapproved(this.name, `The description of ${tool.name}`);
  }

  /** What the server lists now; what differs from what is approved is noted. */
  async #look(link: Link): Promise<readonly McpTool[]> {
    const tools = await this.#tools.of(link);
    const known = this.#known as KnownServer;
    const { changed, fresh } = compare(known, tools);
    if (String([changed, fresh]) !== String([known.changed, known.fresh])) {
      this.#options.log.warn({ server: this.name, changed, fresh }, "an MCP server has changed its tools");
      await this.#save(sighted(known, tools));
    }
    return tools;
  }

  /** After the server has said that its tools are others. */
  async #lookAgain(): Promise<void> {
    const { link } = this.#tools;
    if (link !== undefined && this.#known !== undefined && this.#connection.state === "open")
      await this.#look(link).catch(() => undefined);
  }

  #ask(ask: Ask, effect: Effect, context: ToolContext): Promise<OperationResult> {
    const work = (link: Link): Promise<OperationResult> =>
      this.#inquiries.during(context, async () => renderContent(await ask(link), context));
    return this.#reach(work, { effect, signal: context.signal });
  }

  /** Throws ToolError. */
  async #reach<T>(work: (link: Link) => Promise<T>, how: Reach): Promise<T> {
    if (this.#retired !== "")
      throw new ToolError("unavailable", this.#retired, { hint: "Go on without this server." });
    if (!this.isLaunchApproved) throw unapproved(this.name, "The server's entry in mcp.servers");
    return reach(this.#connection, work, how);
  }

  async #save(seen: KnownServer): Promise<void> {
    const kinds = this.#tools.link?.kinds ?? this.#known?.kinds;
    const prompts = this.prompts.latest ?? this.#known?.prompts;
    const known = { ...seen, ...defined({ kinds, prompts }) };
    await this.#options.known.write(this.name, known);
    this.#use(known);
    this.#changed();
  }

  #use(known: KnownServer | undefined): void {
    this.#known = known;
    const isUsable = known !== undefined && this.isLaunchApproved;
    this.#operations = isUsable
      ? offeredOperations(this.name, known, {
          settings: this.settings,
          call: (call, context) => this.call(call, context),
          ask: (ask, effect, context) => this.#ask(ask, effect, context),
        })
      : [];
  }
}
