import { AppError, didYouMean, messageOf, ToolError } from "@pergola/sdk";
import type { McpPrompt, McpPromptCall, McpPromptService } from "@pergola/sdk/host";
import type { McpServer } from "../mcp-server.ts";
import { fillArguments } from "./fill-arguments.ts";
import { promptText } from "./prompt-text.ts";
import { commandsOf, type ServerPrompt } from "./server-prompt.ts";

interface Servers {
  /** Of all that the settings name. */
  names(): readonly string[];
  /** Undefined for one that is switched off. */
  find(name: string): Promise<McpServer | undefined>;
}

/** Milliseconds for the server to start and to answer: a run waits for it. */
const patience = 25_000;

/** The prompts of all servers, which the person calls by their commands. */
export class ServerPrompts implements McpPromptService {
  readonly #servers: Servers;
  /** By run. */
  readonly #given = new Map<string, Set<string>>();

  constructor(servers: Servers) {
    this.#servers = servers;
  }

  /** Whether the settings name any server. */
  get isNeeded(): boolean {
    return this.#servers.names().length > 0;
  }

  /** Whether a command is for one of the servers, whatever comes of it. */
  isFor(command: string): boolean {
    return this.#servers.names().includes(serverIn(command));
  }

  async list(): Promise<readonly McpPrompt[]> {
    const lists = await Promise.all(this.#servers.names().map((name) => this.#promptsOf(name)));
    return lists.flat();
  }

  async expand({ command, words, runId, caller, signal }: McpPromptCall): Promise<string> {
    if (!caller.scopes.includes("tools"))
      throw new AppError({
        code: "insufficient_scope",
        message: `/${command} asks an MCP server, which needs the scope tools.`,
        details: { scope: "tools" },
      });
    const ending = AbortSignal.any([signal, AbortSignal.timeout(patience)]);
    const server = await this.#server(command);
    const prompt = await this.#prompt(server, command, ending);
    const args = fillArguments(command, prompt, words);
    this.note(runId, command);
    const contents = await answered(command, server.prompts.get(prompt.name, args, ending));
    return promptText(command, server.name, contents);
  }

  givenTo(runId: string): readonly string[] {
    return [...(this.#given.get(runId) ?? [])];
  }

  /** A run is given what was asked for before. */
  note(runId: string, command: string): void {
    this.#given.set(runId, (this.#given.get(runId) ?? new Set()).add(command));
  }

  forget(runId: string): void {
    this.#given.delete(runId);
  }

  async #promptsOf(server: string): Promise<readonly McpPrompt[]> {
    const found = await this.#servers.find(server);
    const commands = commandsOf(server, (await found?.prompts.list()) ?? []);
    return [...commands].map(([command, { description, arguments: fields }]) => ({
      command,
      server,
      description,
      arguments: fields,
    }));
  }

  async #server(command: string): Promise<McpServer> {
    const name = serverIn(command);
    const server = this.isFor(command) ? await this.#servers.find(name) : undefined;
    if (server?.known !== undefined) return server;
    const why = server === undefined ? "it is switched off" : server.lastError || "it was not checked yet";
    const message = `/${command}: the MCP server "${name}" cannot be used: ${why}`;
    throw new AppError({ code: "invalid_value", message });
  }

  /** As it was listed last, else as it is listed now. */
  async #prompt(server: McpServer, command: string, signal: AbortSignal): Promise<ServerPrompt> {
    const known = commandsOf(server.name, await server.prompts.list()).get(command);
    if (known !== undefined) return known;
    const now = commandsOf(server.name, await answered(command, server.prompts.read(signal)));
    const found = now.get(command);
    if (found !== undefined) return found;
    const names = [...now.keys()];
    const message =
      names.length === 0
        ? `The MCP server "${server.name}" has no prompts, so there is no /${command}.`
        : `There is no /${command}.${didYouMean(command, names)} There are: ${names.join(", ")}.`;
    throw new AppError({ code: "invalid_value", message });
  }
}

const serverIn = (command: string): string => command.split(":", 1)[0] ?? "";

/** What goes wrong at a server, as who has called its prompt is told. */
async function answered<T>(command: string, work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    const hint = ToolError.is(cause) ? ` ${cause.hint}` : "";
    throw new AppError({ code: "invalid_value", message: `/${command}: ${messageOf(cause)}${hint}`, cause });
  }
}
