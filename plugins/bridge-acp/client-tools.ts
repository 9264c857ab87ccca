import { RequestError, type McpServer } from "@agentclientprotocol/sdk";
import type { Client } from "@modelcontextprotocol/sdk/client/index.js";
import type { Transport } from "@modelcontextprotocol/sdk/shared/transport.js";
import packageJson from "./package.json" with { type: "json" };

/** Milliseconds for a server to start and to greet. */
const patience = 20_000;
/** A call ends with its turn, not by a clock. */
const unlimited = 2 ** 31 - 1;

/** A tool as a chat request offers it. */
interface OfferedTool {
  readonly type: "function";
  readonly function: { readonly name: string; readonly description: string; readonly parameters: object };
}

interface Known {
  readonly client: Client;
  /** As its server calls it. */
  readonly name: string;
  readonly server: string;
}

/** What a call has come to, for the model. */
export interface CallResult {
  readonly isError: boolean;
  readonly text: string;
}

async function transportOf(server: McpServer): Promise<Transport> {
  if ("type" in server) {
    if (server.type !== "http")
      throw RequestError.invalidParams(undefined, `The MCP server ${server.name} speaks ${server.type}.`);
    const { StreamableHTTPClientTransport } =
      await import("@modelcontextprotocol/sdk/client/streamableHttp.js");
    const headers = Object.fromEntries(server.headers.map(({ name, value }) => [name, value]));
    return new StreamableHTTPClientTransport(new URL(server.url), { requestInit: { headers } });
  }
  const { StdioClientTransport, getDefaultEnvironment } =
    await import("@modelcontextprotocol/sdk/client/stdio.js");
  const { command, args } = server;
  const own = Object.fromEntries(server.env.map(({ name, value }) => [name, value]));
  return new StdioClientTransport({ command, args, env: { ...getDefaultEnvironment(), ...own } });
}

async function connect(server: McpServer): Promise<Client> {
  const { Client: McpClient } = await import("@modelcontextprotocol/sdk/client/index.js");
  const client = new McpClient({ name: "pergola", version: packageJson.version });
  await client.connect(await transportOf(server), { timeout: patience });
  return client;
}

/** A name that every provider takes: the server's and the tool's. */
const nameOf = (server: string, tool: string): string =>
  `${server}_${tool}`.replaceAll(/[^\w-]+/g, "_").slice(0, 64);

function textOf(content: unknown): string {
  const parts = content as readonly { readonly type: string; readonly text?: string }[];
  return parts.map(({ type, text }) => text ?? `(${type})`).join("\n");
}

/** The tools of the MCP servers that an editor names for a session. */
export class ClientTools {
  readonly #clients: readonly Client[];
  readonly #known = new Map<string, Known>();
  /** As chat requests offer them. */
  readonly offered: readonly OfferedTool[];

  private constructor(clients: readonly Client[], offered: readonly (OfferedTool & { from: Known })[]) {
    this.#clients = clients;
    for (const {
      function: { name },
      from,
    } of offered)
      this.#known.set(name, from);
    this.offered = offered.map(({ type, function: made }) => ({ type, function: made }));
  }

  /** Starts the servers. Rejects with RequestError where one does not answer; none is left running then. */
  static async open(servers: readonly McpServer[]): Promise<ClientTools> {
    const opened = await Promise.allSettled(servers.map((server) => openServer(server)));
    const good = opened.flatMap((one) => (one.status === "fulfilled" ? one.value : []));
    const clients = good.map(({ client }) => client);
    const bad = opened.findIndex(({ status }) => status === "rejected");
    if (bad === -1)
      return new ClientTools(
        clients,
        good.flatMap(({ tools }) => tools),
      );
    await Promise.all(clients.map((client) => client.close()));
    const { reason } = opened[bad] as PromiseRejectedResult;
    const words = `The MCP server ${servers[bad]!.name} cannot be used: ${(reason as Error).message}`;
    throw RequestError.internalError(undefined, words);
  }

  /** The tool behind an offered name. */
  find(name: string): Pick<Known, "name" | "server"> | undefined {
    return this.#known.get(name);
  }

  /** Never rejects, but for the signal. */
  async call(name: string, args: Record<string, unknown>, signal: AbortSignal): Promise<CallResult> {
    const known = this.#known.get(name);
    if (known === undefined) return { isError: true, text: `There is no tool ${name}.` };
    try {
      const call = { name: known.name, arguments: args };
      const answer = await known.client.callTool(call, undefined, { signal, timeout: unlimited });
      return { isError: answer.isError === true, text: textOf(answer.content) };
    } catch (error) {
      signal.throwIfAborted();
      return { isError: true, text: (error as Error).message };
    }
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#clients.map((client) => client.close()));
  }
}

async function openServer(server: McpServer) {
  const client = await connect(server);
  const { tools } = await client.listTools(undefined, { timeout: patience });
  const offered = tools.map(({ name, description = "", inputSchema }) => ({
    type: "function" as const,
    function: { name: nameOf(server.name, name), description, parameters: inputSchema },
    from: { client, name, server: server.name },
  }));
  return { client, tools: offered };
}
