import type { McpServer } from "@agentclientprotocol/sdk";
import type * as protocolTypes from "@modelcontextprotocol/client";
import type { Client, Tool, Transport } from "@modelcontextprotocol/client";
import { followChanges, inEitherEra, type Mode } from "@pergola/kit-mcp";
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

async function connect(
  server: McpServer,
  directory: string,
  protocol: Protocol,
  mode: Mode,
): Promise<Client> {
  const versionNegotiation = { mode, probe: { timeoutMs: silence } };
  const about = { name: "pergola", version: packageJson.version };
  const client = new protocol.Client(about, { versionNegotiation });
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
  readonly client: Client;
  #tools: readonly Tool[] = [];
  /** It has said that its list is another one, or the list was not read yet. */
  #isStale = true;
  readonly #leaving = new AbortController();

  private constructor(name: string, client: Client) {
    this.name = name;
    this.client = client;
  }

  /** Starts a server in a folder, or calls it. Rejects where it cannot be used; it does not run then. */
  static async open(server: McpServer, directory: string): Promise<EditorServer> {
    const protocol = await import("@modelcontextprotocol/client");
    const client = await inEitherEra(protocol, (mode) => connect(server, directory, protocol, mode));
    const opened = new EditorServer(server.name, client);
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

  async close(): Promise<void> {
    this.#leaving.abort();
    await this.client.close();
  }

  #follow(): void {
    const changed = (): void => void (this.#isStale = true);
    this.client.setNotificationHandler("notifications/tools/list_changed", changed);
    void followChanges(this.client, changed, this.#leaving.signal);
  }

  async #list(): Promise<void> {
    this.#isStale = false;
    if (this.client.getServerCapabilities()?.tools === undefined) return;
    this.#tools = (await this.client.listTools(undefined, { timeout: patience })).tools;
  }
}
