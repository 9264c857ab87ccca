import { ToolError, type Log, type Operation, type OperationResult, type ToolContext } from "@pergola/sdk";
import { withDeadline, type AuditFact, type ProgramHost } from "@pergola/sdk/host";
import { answerInquiry } from "./answer-inquiry.ts";
import { compare, launchChange, sameLaunch, toolChanges } from "./compare.ts";
import { Connection } from "./connection.ts";
import { failureOf, isAnswer, isLostSession } from "./failure-of.ts";
import type { KnownServer, KnownServers } from "./known-servers.ts";
import type { Inquiry, InquiryAnswer, Link } from "./link.ts";
import { digestOf, type McpTool } from "./mcp-tool.ts";
import { openLink } from "./open-link.ts";
import { operationsOf, type ToolCall } from "./operations-of.ts";
import { renderContent } from "./render-content.ts";
import { faultOf, launchOf, wallsOf, type ServerSettings } from "./server-settings.ts";

export interface ServerOptions {
  readonly settings: ServerSettings;
  readonly known: KnownServers;
  readonly clock: ToolContext["clock"];
  readonly log: Log;
  /** Milliseconds for greeting and listing, each. */
  readonly deadline: number;
  readonly sandbox: ProgramHost["sandbox"];
  readonly note: ProgramHost["note"];
}

/** Questions that a server may put to the person during one call. */
const mostInquiries = 5;

const bareFact = (name: string, { command = "" }: ServerSettings): AuditFact => ({
  action: "program.unsandboxed",
  target: `mcp.servers.${name} ${command}`,
  outcome: "its entry asks for none",
});

/** One MCP server: what the person has approved of it, and the way to it. */
export class McpServer {
  readonly name: string;
  readonly #options: ServerOptions;
  readonly #connection: Connection;
  readonly #calls = new Map<ToolContext, { inquiries: number }>();
  #known: KnownServer | undefined;
  #operations: readonly Operation[] = [];
  #unreached = "";
  #listed: { readonly link: Link; readonly tools: Promise<readonly McpTool[]> } | undefined;

  constructor(name: string, options: ServerOptions) {
    this.name = name;
    this.#options = options;
    const { settings, deadline, clock, sandbox, note } = options;
    const ask = (inquiry: Inquiry): Promise<InquiryAnswer> => this.#ask(inquiry);
    this.#connection = new Connection((closed) => {
      if (wallsOf(settings) === "not sandboxed") note(bareFact(name, settings));
      return openLink(settings, { deadline, ask, closed, sandbox });
    }, clock);
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
    this.#use(await this.#options.known.read(this.name));
    if (this.#known !== undefined || faultOf(this.#options.settings) !== undefined) return;
    await this.#meet().catch(({ message }: Error) => {
      this.#unreached = message;
      this.#options.log.warn({ server: this.name, reason: message }, "an MCP server cannot be used");
    });
    await this.#connection.close();
  }

  unavailable(): { readonly reason: string; readonly remedy: string } | undefined {
    const fault = faultOf(this.#options.settings);
    const review = `Call mcp_servers.review_server with server "${this.name}".`;
    if (fault !== undefined) return { reason: fault, remedy: "Correct mcp.servers in the settings." };
    if (this.#known === undefined)
      return { reason: `It was not reached: ${this.#unreached}`, remedy: `${review} Then restart.` };
    if (!this.#isApproved)
      return { reason: "Its entry in mcp.servers has changed and is not approved yet.", remedy: review };
    return this.#offered > 0 ? undefined : { reason: "It offers no approved tool.", remedy: review };
  }

  status() {
    const { changed = [], fresh = [] } = this.#known ?? {};
    const reason = this.unavailable()?.reason ?? null;
    return {
      server: this.name,
      connected: this.#connection.isOpen,
      sandbox: wallsOf(this.#options.settings),
      tools: this.#offered,
      changed,
      fresh,
      reason,
    };
  }

  /** Throws ToolError for a tool that is not as it was approved, and for whatever goes wrong on the way. */
  async call(call: ToolCall, context: ToolContext, again = false): Promise<OperationResult> {
    if (!this.#isApproved) throw this.#unapproved("The server's entry in mcp.servers");
    const link = await this.#connection.link(context.signal);
    this.#calls.set(context, this.#calls.get(context) ?? { inquiries: 0 });
    try {
      await this.#checkUnchanged(link, call.tool);
      const progress = (text: string): void => context.progress(text);
      const answer = await link.call(call.tool.name, call.arguments, { signal: context.signal, progress });
      return await renderContent(answer, context);
    } catch (error) {
      return await this.#failed(error as Error, { call, context, link, again });
    } finally {
      this.#calls.delete(context);
    }
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
    if (before !== undefined && !sameLaunch(before.launch, launch))
      await askApproval(
        context,
        `Use the MCP server "${this.name}" in its changed form?`,
        launchChange(before.launch, launch),
      );
    const link = await this.#connection.link(context.signal);
    const tools = await this.#tools(link);
    const changes = before === undefined ? "" : toolChanges(before, tools);
    if (before !== undefined) await this.#save({ launch, tools: before.tools, ...compare(before, tools) });
    if (changes !== "")
      await askApproval(
        context,
        `Offer the tools of the MCP server "${this.name}" as they are now?`,
        changes,
      );
    await this.#save({ launch, tools, changed: [], fresh: [] });
    return {
      data: this.status(),
      message: `${tools.length} tools are approved. What models are offered changes with the next start.`,
    };
  }

  end(): Promise<void> {
    return this.#connection.end();
  }

  get #offered(): number {
    return this.#operations.filter(({ hidden }) => hidden !== true).length;
  }

  get #isApproved(): boolean {
    return this.#known !== undefined && sameLaunch(this.#known.launch, launchOf(this.#options.settings));
  }

  async #meet(): Promise<void> {
    const { deadline } = this.#options;
    const listing = this.#connection.link(new AbortController().signal).then((link) => this.#tools(link));
    const tools = await withDeadline(
      listing,
      deadline,
      () => new Error(`It was not ready within ${deadline / 1000} s.`),
    );
    await this.#save({ launch: launchOf(this.#options.settings), tools, changed: [], fresh: [] });
  }

  /** What the server lists now; asked once, until it says that the list is another one. */
  #tools(link: Link): Promise<readonly McpTool[]> {
    if (this.#listed?.link !== link || link.stale) this.#listed = { link, tools: link.list() };
    return this.#listed.tools;
  }

  async #checkUnchanged(link: Link, tool: McpTool): Promise<void> {
    const tools = await this.#tools(link);
    const known = this.#known as KnownServer;
    const { changed, fresh } = compare(known, tools);
    if (String([changed, fresh]) !== String([known.changed, known.fresh])) {
      this.#options.log.warn({ server: this.name, changed, fresh }, "an MCP server has changed its tools");
      await this.#save({ ...known, changed, fresh });
    }
    const now = tools.find(({ name }) => name === tool.name);
    if (now === undefined || digestOf(now) !== digestOf(tool))
      throw this.#unapproved(`The description of ${tool.name}`);
  }

  async #failed(
    error: Error,
    at: { call: ToolCall; context: ToolContext; link: Link; again: boolean },
  ): Promise<OperationResult> {
    const { call, context, link, again } = at;
    if (context.signal.aborted) throw new ToolError("cancelled", "The call was cancelled.");
    if (!ToolError.is(error) && !isAnswer(error)) await this.#connection.drop(link);
    if (isLostSession(error) && !again) return this.call(call, context, true);
    throw failureOf(error, call.effect, link.ending);
  }

  /**
   * A server speaks to the person only for a call of theirs; with calls of several conversations at once
   * nobody could tell for which.
   */
  async #ask(inquiry: Inquiry): Promise<InquiryAnswer> {
    const [context, ...others] = [...this.#calls.keys()].toReversed();
    const count = context && this.#calls.get(context);
    if (context === undefined || count === undefined || count.inquiries >= mostInquiries)
      return { action: "decline" };
    if (others.some(({ conversationId }) => conversationId !== context.conversationId))
      return { action: "decline" };
    count.inquiries += 1;
    return answerInquiry(this.name, inquiry, context);
  }

  async #save(known: KnownServer): Promise<void> {
    await this.#options.known.write(this.name, known);
    this.#use(known);
  }

  #use(known: KnownServer | undefined): void {
    this.#known = known;
    const { tools, changed } = known !== undefined && this.#isApproved ? known : { tools: [], changed: [] };
    const { settings } = this.#options;
    this.#operations = operationsOf(this.name, tools, {
      settings,
      changed,
      run: (call, context) => this.call(call, context),
    });
  }

  #unapproved(what: string): ToolError {
    return new ToolError("permission_denied", `${what} has changed since the person approved it.`, {
      hint:
        `Call mcp_servers.review_server with server "${this.name}": the person is shown what has ` +
        "changed, and decides.",
    });
  }
}

async function askApproval(call: ToolContext, prompt: string, context: string): Promise<void> {
  const { decision, text } = await call.ask({ prompt, context, options: ["approve", "refuse"] });
  if (decision === "approved" || (decision === "text" && text.trim().toLowerCase() === "approve")) return;
  throw new ToolError("denied", "The person did not approve it.", { hint: "Go on without this server." });
}
