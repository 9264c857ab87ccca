import { RequestError, type McpServer } from "@agentclientprotocol/sdk";
import type { Client, Tool, Transport } from "@modelcontextprotocol/client";
import { resultText } from "./result-text.ts";
import packageJson from "./package.json" with { type: "json" };

/** Milliseconds for a server to start and to greet, and to say which revision it speaks before that. */
const [patience, silence] = [20_000, 5000];
/** A call ends with its turn, not by a clock. */
const unlimited = 2 ** 31 - 1;

/** A tool as a chat request offers it. */
interface OfferedTool {
  readonly type: "function";
  readonly function: { readonly name: string; readonly description: string; readonly parameters: object };
}

/** What a call has come to, for the model. */
export interface CallResult {
  readonly isError: boolean;
  readonly text: string;
}

async function transportOf(server: McpServer, directory: string): Promise<Transport> {
  if (!("type" in server)) {
    const { StdioTransport } = await import("./stdio-transport.ts");
    return new StdioTransport(server, directory);
  }
  if (server.type !== "http") throw new Error(`it speaks ${server.type}.`);
  const { StreamableHTTPClientTransport } = await import("@modelcontextprotocol/client");
  const headers = Object.fromEntries(server.headers.map(({ name, value }) => [name, value]));
  return new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } });
}

interface OpenServer {
  readonly client: Client;
  readonly tools: readonly ServerTool[];
}

/** Starts a server, or calls it, finds out which revision it speaks, and lists its tools. */
async function openServer(
  server: McpServer,
  directory: string,
  mode: "auto" | "legacy" = "auto",
): Promise<OpenServer> {
  const { Client: McpClient, SdkError, SdkErrorCode } = await import("@modelcontextprotocol/client");
  const versionNegotiation = { mode, probe: { timeoutMs: silence } };
  const client = new McpClient({ name: "pergola", version: packageJson.version }, { versionNegotiation });
  try {
    await client.connect(await transportOf(server, directory), { timeout: patience });
    const hasTools = client.getServerCapabilities()?.tools !== undefined;
    const { tools } = hasTools ? await client.listTools(undefined, { timeout: patience }) : { tools: [] };
    return { client, tools: tools.map((tool) => ({ client, server: server.name, ...tool })) };
  } catch (error) {
    await client.close();
    const isUndecided = error instanceof SdkError && error.code === SdkErrorCode.EraNegotiationFailed;
    if (!isUndecided || mode === "legacy") throw error;
    // Some older servers fail or end at a request that comes before their handshake.
    return openServer(server, directory, "legacy");
  }
}

/** A name that every provider takes: the server's and the tool's. */
const nameOf = (server: string, tool: string): string =>
  `${server}_${tool}`.replaceAll(/[^\w-]+/g, "_").slice(0, 64);

interface ServerTool extends Tool {
  readonly client: Client;
  readonly server: string;
}

/** The tools of the MCP servers that an editor names for a session. */
export class ClientTools {
  readonly #clients: readonly Client[];
  readonly #known: ReadonlyMap<string, ServerTool>;

  private constructor(clients: readonly Client[], tools: readonly ServerTool[]) {
    this.#clients = clients;
    this.#known = new Map(tools.map((tool) => [nameOf(tool.server, tool.name), tool]));
  }

  /**
   * Starts the servers in the session's folder. Rejects with RequestError where one cannot be used; none is
   * left running then.
   */
  static async open(servers: readonly McpServer[], directory: string): Promise<ClientTools> {
    const opened = await Promise.allSettled(servers.map((server) => openServer(server, directory)));
    const good = opened.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
    const tools = new ClientTools(
      good.map(({ client }) => client),
      good.flatMap((one) => one.tools),
    );
    const bad = opened.findIndex(({ status }) => status === "rejected");
    if (bad === -1) return tools;
    await tools.close();
    const { message } = (opened[bad] as PromiseRejectedResult).reason as Error;
    const words = `The MCP server ${servers[bad]!.name} cannot be used: ${message}`;
    throw RequestError.internalError(undefined, words);
  }

  /** As chat requests offer them. */
  get offered(): readonly OfferedTool[] {
    return [...this.#known].map(([name, { description = "", inputSchema: parameters }]) => ({
      type: "function",
      function: { name, description, parameters },
    }));
  }

  /** The tool behind an offered name. */
  find(name: string): Pick<ServerTool, "name" | "server"> | undefined {
    return this.#known.get(name);
  }

  /** Never rejects, but for the signal. */
  async call(name: string, args: Record<string, unknown>, signal: AbortSignal): Promise<CallResult> {
    const known = this.#known.get(name);
    if (known === undefined) return { isError: true, text: `There is no tool ${name}.` };
    try {
      const call = { name: known.name, arguments: args };
      const answer = await known.client.callTool(call, { signal, timeout: unlimited });
      return { isError: answer.isError === true, text: resultText(answer) };
    } catch (error) {
      signal.throwIfAborted();
      return { isError: true, text: (error as Error).message };
    }
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#clients.map((client) => client.close()));
  }
}
