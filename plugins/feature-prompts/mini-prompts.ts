import { AppError, type Page } from "@pergola/sdk";
import type {
  McpPrompt,
  MiniPrompt,
  Parts,
  PromptDraft,
  PromptFields,
  PromptLibrary,
} from "@pergola/sdk/host";
import { builtIn } from "./built-in/built-in.ts";
import type { Library } from "./library.ts";

/** Prompts of MCP servers stand behind those of the person. */
const lastPlace = 1_000_000;

const miniOf = (mcp: McpPrompt): MiniPrompt => ({
  id: mcp.command,
  name: mcp.command,
  content: "",
  displayOrder: lastPlace,
  mcp,
  ...builtIn,
});

/** The mini prompts of the person, and the prompts of MCP servers, which only their servers change. */
export class MiniPrompts implements PromptLibrary<MiniPrompt> {
  readonly #own: Library<MiniPrompt>;
  readonly #parts: Pick<Parts, "mcpServers">;

  constructor(own: Library<MiniPrompt>, parts: Pick<Parts, "mcpServers">) {
    this.#own = own;
    this.#parts = parts;
  }

  async list({
    limit = 1_000_000,
    offset = 0,
  }: Parameters<PromptLibrary<MiniPrompt>["list"]>[0] = {}): Promise<Page<MiniPrompt>> {
    const [{ items, count }, more] = await Promise.all([this.#own.list({ limit, offset }), this.#servers()]);
    const start = Math.max(0, offset - count);
    return {
      items: [...items, ...more.slice(start, start + limit - items.length)],
      count: count + more.length,
    };
  }

  async find(idOrName: string): Promise<MiniPrompt | undefined> {
    return (await this.#own.find(idOrName)) ?? this.#server(idOrName);
  }

  async get(id: string): Promise<MiniPrompt> {
    return (await this.#server(id)) ?? this.#own.get(id);
  }

  create(draft: PromptDraft<MiniPrompt>): Promise<MiniPrompt> {
    return this.#own.create(draft);
  }

  async update(id: string, changes: PromptFields<MiniPrompt>): Promise<MiniPrompt> {
    await this.#checkOwn(id);
    return this.#own.update(id, changes);
  }

  async delete(id: string): Promise<void> {
    await this.#checkOwn(id);
    return this.#own.delete(id);
  }

  async #servers(): Promise<readonly MiniPrompt[]> {
    return ((await this.#parts.mcpServers?.prompts.list()) ?? []).map(miniOf);
  }

  async #server(command: string): Promise<MiniPrompt | undefined> {
    if (!command.includes(":")) return undefined;
    const wanted = command.trim().replace(/^\//, "");
    return (await this.#servers()).find(({ id }) => id === wanted);
  }

  async #checkOwn(id: string): Promise<void> {
    if ((await this.#server(id)) === undefined) return;
    const message = `"${id}" is a prompt of an MCP server, which alone can change it.`;
    throw new AppError({ code: "built_in", message });
  }
}
