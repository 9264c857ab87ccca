import type { McpServer } from "@agentclientprotocol/sdk";
import type * as protocolTypes from "@modelcontextprotocol/client";
import type { CallToolResult, Client, Tool, Transport } from "@modelcontextprotocol/client";
import {
  followChanges,
  inEitherEra,
  Inquiries,
  makeClient,
  unlimited,
  type Inquiry,
  type InquiryAnswer,
  type Mode,
} from "@pergola/kit-mcp";
import packageJson from "./package.json" with { type: "json" };

type Protocol = typeof protocolTypes;

/** Milliseconds for a server to start and to greet, and to say which revision it speaks before that. */
const [patience, silence] = [20_000, 5000];

async function transportOf(server: McpServer, directory: string, protocol: Protocol): Promise<Transport> {
  if (!("type" in server)) {
    const { StdioTransport } = await import("./stdio-transport.ts");
    return new StdioTransport(server, directory);
  }
  if (server.type !== "http") throw new Error(`it speaks ${server.type}.`);
  const headers = Object.fromEntries(server.headers.map(({ name, value }) => [name, value]));
  return new protocol.StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } });
}

/** Of a call of a tool. */
export interface CallOptions {
  /** The session's. */
  readonly conversationId: string;
  readonly signal: AbortSignal;
  /** Answers what the server wants to know from the person meanwhile. */
  readonly answer: (inquiry: Inquiry) => Promise<InquiryAnswer>;
}

/** A server of an editor, and the folder in which it is started. */
interface Place {
  readonly server: McpServer;
  readonly directory: string;
}

async function connect(
  { server, directory }: Place,
  protocol: Protocol,
  ask: (inquiry: Inquiry) => Promise<InquiryAnswer>,
  mode: Mode,
): Promise<Client> {
  const client = makeClient(protocol, { version: packageJson.version, mode, silence, ask });
  try {
    await client.connect(await transportOf(server, directory, protocol), { timeout: patience });
    return client;
  } catch (error) {
    await client.close();
    throw error;
  }
}

/** An MCP server that an editor has named for a session, and its tools. */
export class EditorServer {
  readonly name: string;
  readonly #client: Client;
  readonly #inquiries: Inquiries<CallOptions>;
  #tools: readonly Tool[] = [];
  /** It has said that its list is another one, or the list was not read yet. */
  #isStale = true;
  readonly #leaving = new AbortController();

  private constructor(name: string, client: Client, inquiries: Inquiries<CallOptions>) {
    this.name = name;
    this.#client = client;
    this.#inquiries = inquiries;
  }

  /** Starts a server in a folder, or calls it. Rejects where it cannot be used; it does not run then. */
  static async open(server: McpServer, directory: string): Promise<EditorServer> {
    const protocol = await import("@modelcontextprotocol/client");
    const inquiries = new Inquiries<CallOptions>((inquiry, { answer }) => answer(inquiry));
    const place = { server, directory };
    const client = await inEitherEra(protocol, (mode) => connect(place, protocol, inquiries.ask, mode));
    const opened = new EditorServer(server.name, client, inquiries);
    try {
      opened.#follow();
      await opened.#list();
      return opened;
    } catch (error) {
      await opened.close();
      throw error;
    }
  }

  /** As they were listed last. */
  get tools(): readonly Tool[] {
    return this.#tools;
  }

  /** Lists the tools again where they have changed; those of before stay where that fails. */
  async refresh(): Promise<void> {
    if (this.#isStale) await this.#list().catch(() => (this.#isStale = true));
  }

  /** It ends with its turn, not by a clock. Rejects as the protocol's package does. */
  call(name: string, args: Record<string, unknown>, options: CallOptions): Promise<CallToolResult> {
    const { signal } = options;
    const call = { name, arguments: args };
    return this.#inquiries.during(options, () => this.#client.callTool(call, { signal, timeout: unlimited }));
  }

  async close(): Promise<void> {
    this.#leaving.abort();
    await this.#client.close();
  }

  #follow(): void {
    const changed = (): void => void (this.#isStale = true);
    this.#client.setNotificationHandler("notifications/tools/list_changed", changed);
    void followChanges(this.#client, changed, this.#leaving.signal);
  }

  async #list(): Promise<void> {
    this.#isStale = false;
    if (this.#client.getServerCapabilities()?.tools === undefined) return;
    this.#tools = (await this.#client.listTools(undefined, { timeout: patience })).tools;
  }
}
