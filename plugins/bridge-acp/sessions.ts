import { randomUUID } from "node:crypto";
import { realpathSync, statSync } from "node:fs";
import path from "node:path";
import {
  RequestError,
  type ListSessionsRequest,
  type ListSessionsResponse,
  type McpServer,
  type PromptRequest,
  type PromptResponse,
  type SessionConfigOption,
  type SetSessionConfigOptionRequest,
} from "@agentclientprotocol/sdk";
import { ClientTools } from "./client-tools.ts";
import { tellCommands } from "./commands.ts";
import { choicesOf, choose, configOptions } from "./config-options.ts";
import { readArchives } from "./context.ts";
import { tellPlan } from "./plan.ts";
import { contentOf } from "./prompt-content.ts";
import { forgetUnspoken, rememberChoices } from "./remember-choices.ts";
import { replay } from "./replay.ts";
import { conversationPath, type Conversation } from "./service.ts";
import { cancel, type Ends, type Session } from "./session.ts";
import { Turn } from "./turn.ts";

interface Opening {
  readonly cwd: string;
  readonly mcpServers?: readonly McpServer[];
}

interface Opened {
  readonly configOptions: SessionConfigOption[];
}

interface Listed {
  readonly conversations: readonly {
    readonly id: string;
    readonly title: string;
    readonly updated: string;
    readonly workingDirectory: string | null;
  }[];
}

/** Sessions on a page of the list. */
const pageSize = 100;

/** A folder by the name that it was given, and by its own. */
function pathsOf(folder: string): readonly string[] {
  try {
    return [path.resolve(folder), realpathSync.native(folder)];
  } catch {
    return [path.resolve(folder)];
  }
}

const isOneOf =
  (paths: readonly string[]) =>
  (one: string | null): boolean =>
    one !== null && paths.includes(one);

/** The sessions that an editor has open, by their conversations' ids. */
export class Sessions {
  readonly #ends: Ends;
  readonly #open = new Map<string, Session>();

  constructor(ends: Ends) {
    this.#ends = ends;
  }

  /** The conversation is stored with the first prompt, or with what is chosen before it. */
  async begin({ cwd, mcpServers = [] }: Opening): Promise<Opened & { readonly sessionId: string }> {
    const id = randomUUID();
    const session = await this.#add(id, cwd, mcpServers);
    return { sessionId: id, ...(await this.#optionsOf(session)) };
  }

  /** Goes on with a conversation; `replays`: and tells all that was said in it. */
  async goOn(id: string, { cwd, mcpServers = [] }: Opening, replays: boolean): Promise<Opened> {
    const view = replays ? "view=active" : "messages=false";
    const conversation = await this.#read(id, view);
    await this.close(id);
    const session = await this.#add(id, cwd, mcpServers, conversation);
    const archives = await readArchives(this.#ends, conversation);
    if (replays) {
      await replay(this.#ends, session, conversation, archives);
      await tellPlan(this.#ends, session);
    }
    for (const archive of archives) session.compactions.add(archive.id);
    return this.#optionsOf(session);
  }

  async list({ cwd, cursor }: ListSessionsRequest): Promise<ListSessionsResponse> {
    const { conversations } = await this.#ends.service.send<Listed>("GET", "/v1/conversations");
    const start = Number(cursor ?? 0);
    if (!Number.isSafeInteger(start) || start < 0)
      throw RequestError.invalidParams(undefined, "No such cursor.");
    const isWanted = this.#ends.service.isElsewhere || !cwd ? () => true : isOneOf(pathsOf(cwd));
    const found = conversations.filter(({ workingDirectory }) => isWanted(workingDirectory));
    const sessions = found.slice(start, start + pageSize).map((one) => ({
      sessionId: one.id,
      cwd: one.workingDirectory ?? "/",
      title: one.title,
      updatedAt: one.updated,
    }));
    const next = start + pageSize;
    return { sessions, ...(next < found.length && { nextCursor: String(next) }) };
  }

  async prompt({ sessionId, prompt }: PromptRequest, signal: AbortSignal): Promise<PromptResponse> {
    const session = this.#find(sessionId);
    const turn = new Turn(this.#ends, session);
    session.cancels.add(turn.cancel);
    signal.addEventListener("abort", () => void turn.cancel());
    try {
      return await turn.take(contentOf(prompt));
    } finally {
      session.cancels.delete(turn.cancel);
      await rememberChoices(this.#ends, session);
      this.#tellCommands(session);
    }
  }

  async cancel(id: string): Promise<void> {
    const session = this.#open.get(id);
    if (session !== undefined) await cancel(session);
  }

  async choose({ sessionId, configId, value }: SetSessionConfigOptionRequest): Promise<Opened> {
    const session = this.#find(sessionId);
    const { configOptions: options } = await this.#optionsOf(session);
    session.choices = choose(options, session.choices, configId, value);
    await rememberChoices(this.#ends, session, { stores: true });
    return this.#optionsOf(session);
  }

  /** The editor is done with a session: one in which nobody has spoken goes with it. */
  async leave(id: string): Promise<void> {
    const session = this.#open.get(id);
    await this.close(id);
    if (session?.isNew) await forgetUnspoken(this.#ends, session);
  }

  /** Ends what a session works on; the conversation stays. */
  async close(id: string): Promise<void> {
    const session = this.#open.get(id);
    if (session === undefined) return;
    this.#open.delete(id);
    await cancel(session);
    await session.tools.close();
  }

  async remove(id: string): Promise<void> {
    if (id === "") throw RequestError.sessionNotFound(id);
    await this.close(id);
    await this.#ends.service.send("DELETE", conversationPath(id));
  }

  async closeAll(): Promise<void> {
    await Promise.all([...this.#open.keys()].map((id) => this.close(id)));
  }

  #find(id: string): Session {
    const session = this.#open.get(id);
    if (session === undefined) throw RequestError.sessionNotFound(id);
    return session;
  }

  async #read(id: string, query: string): Promise<Conversation> {
    if (id === "") throw RequestError.sessionNotFound(id);
    const address = `${conversationPath(id)}?${query}`;
    return this.#ends.service.send<Conversation>("GET", address).catch((error: unknown) => {
      throw (error as { readonly code?: unknown }).code === "not_found"
        ? RequestError.sessionNotFound(id)
        : error;
    });
  }

  async #add(
    id: string,
    directory: string,
    servers: readonly McpServer[],
    conversation?: Conversation,
  ): Promise<Session> {
    if (!path.isAbsolute(directory)) throw RequestError.invalidParams(undefined, "cwd must be absolute.");
    const isHere = statSync(directory, { throwIfNoEntry: false })?.isDirectory() === true;
    if (!isHere && !this.#ends.service.isElsewhere)
      throw RequestError.invalidParams(undefined, `There is no folder ${directory}.`);
    const tools = await ClientTools.open(servers, directory);
    const choices = choicesOf(conversation);
    const session = {
      id,
      directory,
      isNew: conversation === undefined,
      tools,
      choices,
      remembered: choices,
      compactions: new Set<string>(),
      toldCommands: "[]",
      cancels: new Set<() => Promise<void>>(),
    };
    this.#open.set(id, session);
    // The editor knows the session once it has the answer.
    setImmediate(() => this.#tellCommands(session));
    return session;
  }

  #tellCommands(session: Session): void {
    void tellCommands(this.#ends, session).catch(() => undefined);
  }

  async #optionsOf({ choices }: Session): Promise<Opened> {
    return { configOptions: await configOptions(this.#ends.service, choices) };
  }
}
