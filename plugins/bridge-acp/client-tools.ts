import { RequestError, type McpServer } from "@agentclientprotocol/sdk";
import { unlimited } from "@pergola/kit-mcp";
import { EditorServer } from "./editor-server.ts";
import { resultText } from "./result-text.ts";

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

/** A name that every provider takes: the server's and the tool's. */
const nameOf = (server: string, tool: string): string =>
  `${server}_${tool}`.replaceAll(/[^\w-]+/g, "_").slice(0, 64);

interface OfferedServerTool {
  readonly server: EditorServer;
  readonly tool: EditorServer["tools"][number];
}

/** The tools of the MCP servers that an editor names for a session. */
export class ClientTools {
  readonly #servers: readonly EditorServer[];

  private constructor(servers: readonly EditorServer[]) {
    this.#servers = servers;
  }

  /**
   * Starts the servers in the session's folder. Rejects with RequestError where one cannot be used; none is
   * left running then.
   */
  static async open(servers: readonly McpServer[], directory: string): Promise<ClientTools> {
    const opened = await Promise.allSettled(servers.map((server) => EditorServer.open(server, directory)));
    const tools = new ClientTools(opened.flatMap((one) => (one.status === "fulfilled" ? one.value : [])));
    const bad = opened.findIndex(({ status }) => status === "rejected");
    if (bad === -1) return tools;
    await tools.close();
    const { message } = (opened[bad] as PromiseRejectedResult).reason as Error;
    const words = `The MCP server ${servers[bad]!.name} cannot be used: ${message}`;
    throw RequestError.internalError(undefined, words);
  }

  /** Learns what has changed in the lists of the servers. */
  async refresh(): Promise<void> {
    await Promise.all(this.#servers.map((server) => server.refresh()));
  }

  /** As chat requests offer them. */
  get offered(): readonly OfferedTool[] {
    return [...this.#known].map(([name, { tool }]) => {
      const { description = "", inputSchema: parameters } = tool;
      return { type: "function", function: { name, description, parameters } };
    });
  }

  /** The tool behind an offered name. */
  find(name: string): { readonly name: string; readonly server: string } | undefined {
    const known = this.#known.get(name);
    return known && { name: known.tool.name, server: known.server.name };
  }

  /** Never rejects, but for the signal. */
  async call(name: string, args: Record<string, unknown>, signal: AbortSignal): Promise<CallResult> {
    const known = this.#known.get(name);
    if (known === undefined) return { isError: true, text: `There is no tool ${name}.` };
    try {
      const call = { name: known.tool.name, arguments: args };
      // It ends with its turn, not by a clock.
      const answer = await known.server.client.callTool(call, { signal, timeout: unlimited });
      return { isError: answer.isError === true, text: resultText(answer) };
    } catch (error) {
      signal.throwIfAborted();
      return { isError: true, text: (error as Error).message };
    }
  }

  async close(): Promise<void> {
    await Promise.allSettled(this.#servers.map((server) => server.close()));
  }

  get #known(): ReadonlyMap<string, OfferedServerTool> {
    const all = this.#servers.flatMap((server) => server.tools.map((tool) => ({ server, tool })));
    return new Map(all.map(({ server, tool }) => [nameOf(server.name, tool.name), { server, tool }]));
  }
}
