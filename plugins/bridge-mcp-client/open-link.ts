import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type * as protocolTypes from "@modelcontextprotocol/sdk/types.js";
import type { Progress, Tool } from "@modelcontextprotocol/sdk/types.js";
import type { JsonObject } from "@pergola/sdk";
import { withDeadline, type Sandbox } from "@pergola/sdk/host";
import { openHttpTransport } from "./http-transport.ts";
import type { CallAnswer, CallOptions, Inquiry, InquiryAnswer, Link } from "./link.ts";
import type { McpTool } from "./mcp-tool.ts";
import packageJson from "./package.json" with { type: "json" };
import type { ServerSettings } from "./server-settings.ts";
import type { SignIn } from "./sign-in/sign-in.ts";
import { StdioTransport } from "./stdio-transport.ts";
import { shortened } from "./visible.ts";

export interface LinkOptions {
  /** Milliseconds for the handshake, and for a listing. */
  readonly deadline: number;
  readonly ask: (inquiry: Inquiry) => Promise<InquiryAnswer>;
  readonly sandbox: () => Promise<Sandbox>;
  readonly signIn: SignIn;
  /** The server says that its list of tools is another one. */
  readonly outdated: (link: Link) => void;
  /** The link is cut. */
  readonly closed: () => void;
}

type Protocol = typeof protocolTypes;

const [mostPages, mostTools, longestTool] = [50, 256, 65_536];
/** Lines of progress that are shown of one call. */
const mostProgress = 500;
/** The host limits the time of a call; the protocol's own clock is not needed. */
const unlimited = 2 ** 31 - 1;
/** Milliseconds to say goodbye. */
const farewell = 500;

/**
 * Connects to a server and greets it, within the deadline. The protocol's package is loaded here, with the
 * first server that is used.
 */
export async function openLink(settings: ServerSettings, options: LinkOptions): Promise<Link> {
  const [{ Client }, protocol] = await Promise.all([
    import("@modelcontextprotocol/sdk/client/index.js"),
    import("@modelcontextprotocol/sdk/types.js"),
  ]);
  const client = new Client(
    { name: "pergola", version: packageJson.version },
    { capabilities: { elicitation: { form: {} } } },
  );
  const link =
    settings.url === undefined
      ? stdioLink(client, protocol, settings, options)
      : await httpLink(client, protocol, settings, options);
  client.setRequestHandler(protocol.ElicitRequestSchema, async ({ params }) => ({
    ...(await options.ask(params as unknown as Inquiry)),
  }));
  client.setNotificationHandler(protocol.ToolListChangedNotificationSchema, () => {
    link.outdate();
    options.outdated(link);
  });
  client.onclose = options.closed;
  client.onerror = () => undefined;
  try {
    await withDeadline(
      link.connect(),
      options.deadline,
      () => new Error(`It did not answer within ${options.deadline / 1000} s.`),
    );
    return link;
  } catch (error) {
    await link.close();
    throw new Error(link.ending || shortened((error as Error).message, 300), { cause: error });
  }
}

function stdioLink(
  client: Client,
  protocol: Protocol,
  settings: ServerSettings,
  { deadline, sandbox }: LinkOptions,
): ClientLink {
  const parse = (line: string) => protocol.JSONRPCMessageSchema.parse(JSON.parse(line));
  const transport = new StdioTransport(settings, sandbox, parse);
  return new ClientLink(client, protocol, deadline, {
    connect: () => client.connect(transport, { timeout: deadline }),
    ending: () => transport.ending,
    close: () => transport.close(),
  });
}

async function httpLink(
  client: Client,
  protocol: Protocol,
  settings: ServerSettings,
  { deadline, signIn }: LinkOptions,
): Promise<ClientLink> {
  const transport = await openHttpTransport(settings, signIn);
  return new ClientLink(client, protocol, deadline, {
    connect: () => client.connect(transport, { timeout: deadline }),
    ending: () => "",
    close: async () => {
      await withDeadline(transport.terminateSession(), farewell, () => new Error("late")).catch(
        () => undefined,
      );
      await transport.close();
    },
  });
}

interface Line {
  connect(): Promise<void>;
  ending(): string;
  close(): Promise<void>;
}

class ClientLink implements Link {
  stale = true;
  readonly #client: Client;
  readonly #protocol: Protocol;
  readonly #deadline: number;
  readonly #line: Line;

  constructor(client: Client, protocol: Protocol, deadline: number, line: Line) {
    this.#client = client;
    this.#protocol = protocol;
    this.#deadline = deadline;
    this.#line = line;
  }

  get ending(): string {
    return this.#line.ending();
  }

  outdate(): void {
    this.stale = true;
  }

  connect(): Promise<void> {
    return this.#line.connect();
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
    const request = {
      method: "tools/call" as const,
      params: { name, arguments: { ...args }, ...(trace && { _meta: { traceparent: trace } }) },
    };
    let left = mostProgress;
    const onprogress = ({ progress: done, total, message = "" }: Progress): void => {
      if (left-- > 0)
        progress(shortened(`${done}${total === undefined ? "" : ` of ${total}`} ${message}`, 200));
    };
    const options = { signal, timeout: unlimited, onprogress };
    return await this.#client.request(request, this.#protocol.CallToolResultSchema, options);
  }

  async close(): Promise<void> {
    this.#client.onclose = undefined;
    await this.#line.close();
  }

  /** What is too much is not there: an endless list ends, a giant description is left out. */
  async #list(): Promise<readonly McpTool[]> {
    const tools: McpTool[] = [];
    let cursor: string | undefined;
    for (let page = 0; page < mostPages && tools.length < mostTools; page++) {
      const params = cursor === undefined ? {} : { cursor };
      const request = { method: "tools/list" as const, params };
      const answer = await this.#client.request(request, this.#protocol.ListToolsResultSchema, {
        timeout: this.#deadline,
      });
      for (const tool of answer.tools)
        if (JSON.stringify(tool).length <= longestTool) tools.push(toolOf(tool));
      cursor = answer.nextCursor;
      if (cursor === undefined) break;
    }
    return tools.slice(0, mostTools);
  }
}

const toolOf = ({ name, description = "", inputSchema, annotations = {} }: Tool): McpTool => ({
  name,
  description,
  inputSchema: inputSchema as JsonObject,
  annotations: annotations,
});
