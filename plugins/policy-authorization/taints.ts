import {
  KeyedQueue,
  type CallContext,
  type Collection,
  type Entity,
  type PendingCall,
  type RunRecord,
  type Services,
} from "@pergola/sdk";
import { hostsIn, hostsOf } from "./hosts.ts";
import type { Rules } from "./rules.ts";

/** What a run and its sub-agents have taken in so far. The id is that of the first run. */
export interface Taint extends Entity {
  /** Where words of others came from; null: none have come. */
  readonly text: string | null;
  /** What was read outside the working directory, or in a credential store; null: nothing. */
  readonly read: string | null;
  /** Those that the person has named, or a call before. */
  readonly hosts: readonly string[];
}

interface Needed {
  readonly services: Pick<Services, "conversations" | "mcpServers">;
  /** As this host may change them for its run in a conversation; without one, for runs that are over. */
  readonly taintsFor: (conversationId?: string) => Collection<Taint>;
}

type Where = Pick<CallContext, "runId" | "lineage" | "conversationId" | "personsConversationId">;

const mostHosts = 1000;
/** Messages of the person that are looked at for the hosts that they name, from the newest on. */
const mostMessages = 1000;

/** Searches that begin in the person's home unless a folder is named. */
const searchesEverywhere: ReadonlySet<string> = new Set(["system_search"]);

const firstRun = ({ lineage = [], runId }: Where): string | null => lineage[0] ?? runId;

/**
 * What each run has taken in, from its first call to its end. Kept in the store as well, so that a run that
 * goes on after a restart, or at another host, has not forgotten it.
 */
export class Taints {
  readonly #open: () => Needed;
  readonly #known = new Map<string, Taint>();
  readonly #turns = new KeyedQueue();

  /** `open` gives what is there once the host has started. */
  constructor(open: () => Needed) {
    this.#open = open;
  }

  /** Undefined for a call that belongs to no run. */
  async find(context: Where): Promise<Taint | undefined> {
    const id = firstRun(context);
    if (id === null) return undefined;
    const taint = await this.#turns.run(id, () => this.#find(id, context));
    this.#inherit(taint, context);
    return taint;
  }

  /** An agent that outlives the run which started it has that run's taint for its own. */
  #inherit(taint: Taint, { runId }: Where): readonly Taint[] {
    if (runId === null || runId === taint.id) return [];
    const own = { ...taint, id: runId };
    this.#known.set(runId, own);
    return [own];
  }

  async #find(id: string, context: Where): Promise<Taint> {
    const known = this.#known.get(id) ?? (await this.#open().taintsFor(context.conversationId).get(id));
    const taint = known ?? (await this.#begin(id, context));
    this.#known.set(id, taint);
    return taint;
  }

  async #begin(id: string, { personsConversationId, conversationId }: Where): Promise<Taint> {
    const { conversations, mcpServers } = this.#open().services;
    const personsOwn = personsConversationId ?? conversationId;
    const { isImported = false } = await conversations.get(personsOwn);
    const messages = await conversations.messages(personsOwn, { limit: mostMessages, newest: true });
    const said = messages.filter(({ role, runId }) => role === "user" && (!isImported || runId !== null));
    const [prompt] = mcpServers?.prompts.givenTo(id) ?? [];
    const given = prompt === undefined ? null : `the prompt ${prompt}`;
    const text = isImported ? "the imported conversation" : given;
    return { id, text, read: null, hosts: hostsIn(said.map(({ content }) => content ?? "").join("\n")) };
  }

  /** A call runs, or has run: what it brings counts from now on. */
  async note(call: PendingCall, context: Where, rules: Rules): Promise<void> {
    const id = firstRun(context);
    if (id === null) return;
    await this.#turns.run(id, async () => {
      const before = await this.#find(id, context);
      const after = withCall(before, call, rules);
      if (after === before) return;
      this.#known.set(id, after);
      const taints = this.#open().taintsFor(context.conversationId);
      for (const taint of [after, ...this.#inherit(after, context)]) await taints.put(taint);
    });
  }

  /**
   * A run that is over is forgotten. One that was interrupted may go on, at another host as well, which then
   * knows better.
   */
  async forget({ id, status }: Pick<RunRecord, "id" | "status">): Promise<void> {
    await this.#turns.run(id, async () => {
      const isKnown = this.#known.delete(id);
      if (isKnown && status === "ended") await this.#open().taintsFor().delete(id);
    });
  }
}

function withCall(before: Taint, call: PendingCall, rules: Rules): Taint {
  const text = before.text ?? sourceOf(call);
  const read = before.read ?? readOutside(call, rules);
  const fresh = hostsOf(call).filter((host) => !before.hosts.includes(host));
  if (text === before.text && read === before.read && fresh.length === 0) return before;
  return { ...before, text, read, hosts: [...before.hosts, ...fresh].slice(-mostHosts) };
}

const sourceOf = ({ fromOutside, tool, operation }: PendingCall): string | null =>
  fromOutside === true ? `${tool}.${operation}` : null;

/** A program may have read anything. */
function readOutside(call: PendingCall, rules: Rules): string | null {
  const { effect, place, paths, tool, operation, workingDirectory } = call;
  const outside = paths.find(
    (path) => path.effect !== "none" && (path.place === "outside" || rules.paths(path, workingDirectory)),
  );
  if (outside !== undefined) return outside.real;
  const isProgram = effect === "execute" && place === "paths";
  const isEverywhere = searchesEverywhere.has(tool) && paths.length === 0;
  return isProgram || isEverywhere ? `${tool}.${operation}` : null;
}
