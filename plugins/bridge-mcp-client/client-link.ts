import type * as protocolTypes from "@modelcontextprotocol/client";
import type { Client, Progress, Tool } from "@modelcontextprotocol/client";
import { followChanges, unlimited } from "@pergola/kit-mcp";
import type { JsonObject } from "@pergola/sdk";
import { withDeadline } from "@pergola/sdk/host";
import type { CallAnswer, CallOptions, Link, ServerTexts, TextKinds } from "./link.ts";
import { listPages } from "./list-pages.ts";
import type { McpTool } from "./mcp-tool.ts";
import { forgetPrompts, textsOf } from "./server-texts.ts";
import { shortened } from "./visible.ts";

/** Lines of progress that are shown of one call. */
const mostProgress = 500;
/** Milliseconds for which a list of a server without sessions counts: no lost session tells of changes. */
const longestTrust = 60_000;

/** How the messages go. */
export interface Line {
  connect(): Promise<void>;
  /** Why it was cut; empty while it is not. */
  ending(): string;
  close(): Promise<void>;
}

/** A link by the protocol's package. `deadline`: milliseconds for a listing. */
export class ClientLink implements Link {
  stale = true;
  readonly #client: Client;
  readonly #protocol: typeof protocolTypes;
  readonly #deadline: number;
  readonly #line: Line;
  readonly #leaving = new AbortController();
  /** As they were listed last: a server may want some of the arguments in headers too. */
  #schemas: ReadonlyMap<string, McpTool["inputSchema"]> = new Map();

  constructor(client: Client, protocol: typeof protocolTypes, deadline: number, line: Line) {
    this.#client = client;
    this.#protocol = protocol;
    this.#deadline = deadline;
    this.#line = line;
  }

  get kinds(): TextKinds {
    const { resources, prompts } = this.#client.getServerCapabilities() ?? {};
    return { resources: resources !== undefined, prompts: prompts !== undefined };
  }

  get texts(): ServerTexts {
    return textsOf(this.#client, this.#protocol, this.#deadline);
  }

  get ending(): string {
    return this.#line.ending();
  }

  /** `outdated` is told when the server says that its tools are others, `closed` when the link is cut. */
  async connect(outdated: () => void, closed: () => void): Promise<void> {
    const tell = (): void => {
      this.stale = true;
      outdated();
    };
    this.#client.setNotificationHandler("notifications/tools/list_changed", tell);
    this.#client.onclose = () => {
      this.#leaving.abort();
      closed();
    };
    await this.#line.connect();
    const lost = (): void => {
      forgetPrompts(this.#client);
      tell();
    };
    void followChanges(this.#client, lost, this.#leaving.signal);
  }

  list(): Promise<readonly McpTool[]> {
    this.stale = false;
    const late = (): Error => new Error(`It did not list its tools within ${this.#deadline / 1000} s.`);
    return withDeadline(this.#list(), this.#deadline, late).catch((error: unknown) => {
      this.stale = true;
      throw error;
    });
  }

  async call(name: string, args: JsonObject, { signal, progress, trace }: CallOptions): Promise<CallAnswer> {
    const params = { name, arguments: { ...args }, ...(trace && { _meta: { traceparent: trace } }) };
    let left = mostProgress;
    const onprogress = ({ progress: done, total, message = "" }: Progress): void => {
      if (left-- > 0)
        progress(shortened(`${done}${total === undefined ? "" : ` of ${total}`} ${message}`, 200));
    };
    const inputSchema = { ...this.#schemas.get(name), type: "object" as const };
    // The host limits the time of a call.
    const options = { signal, timeout: unlimited, onprogress, toolDefinition: { name, inputSchema } };
    return (await this.#client.callTool(params, options)) as CallAnswer;
  }

  async close(): Promise<void> {
    this.#client.onclose = undefined;
    this.#leaving.abort();
    await this.#line.close();
  }

  async #list(): Promise<readonly McpTool[]> {
    const tools = await listPages(async (params) => {
      const request = { method: "tools/list" as const, params };
      const answer = await this.#client.request(request, { timeout: this.#deadline });
      const { tools: items, nextCursor } = answer;
      return { items: items.map(toolOf), ...(nextCursor !== undefined && { next: nextCursor }) };
    });
    if (this.#client.getProtocolEra() === "modern")
      setTimeout(() => (this.stale = true), longestTrust).unref();
    this.#schemas = new Map(tools.map(({ name, inputSchema }) => [name, inputSchema]));
    return tools;
  }
}

const toolOf = ({ name, description = "", inputSchema, annotations = {} }: Tool): McpTool => ({
  name,
  description,
  inputSchema: inputSchema as JsonObject,
  annotations: annotations,
});
