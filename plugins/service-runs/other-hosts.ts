import { AppError, newId, type Collection, type JsonObject, type RunRecord } from "@pergola/sdk";
import { freeAbandoned, type Errand, type Fence, type Parts, type StorageHosts } from "@pergola/sdk/host";
import { nextChange } from "./next-change.ts";

const prefix = "conversation/";
const callPrefix = "call/";
/** Of topics, whose memory runs use that are not in them. */
export const memoryPrefix = "memory/";
/** Names of which a host that is gone leaves nothing to go on with. */
const freed = [callPrefix, memoryPrefix, "place/", "share/"];
const collection = "service-runs/errands";

/** Milliseconds for which a host that works in a conversation is asked again and again. */
const longestWait = 15_000;

interface StoredErrand {
  readonly id: string;
  readonly conversationId: string;
  readonly errand: Errand & JsonObject;
}

/**
 * The hosts that share the storage, as far as conversations go: one host works in a conversation at a time,
 * and others ask it by a record that it deletes when it has done what it says. With one host there is nothing
 * to ask.
 */
export class OtherHosts {
  readonly #parts: Parts;
  readonly #hosts: StorageHosts | undefined;
  readonly #errands: Collection<StoredErrand>;

  constructor(parts: Parts) {
    const { storage } = parts.stores;
    this.#parts = parts;
    this.#hosts = storage.hosts;
    this.#errands = storage.collection<StoredErrand>(collection, { indexes: [] });
  }

  get areThere(): boolean {
    return this.#hosts !== undefined;
  }

  /** Takes a conversation for this host; undefined while another has it. */
  take(conversationId: string): Promise<Fence | undefined> {
    return this.#hosts!.take(prefix + conversationId);
  }

  /** Takes one of so many names that differ by a number; undefined while all are taken. */
  takeOne(namePrefix: string, most: number): Promise<Fence | undefined> {
    return this.#hosts!.takeOne(numbered(namePrefix, most));
  }

  /** Whether a host has one of these names, this one or another. */
  async hasAny(namePrefix: string, most: number): Promise<boolean> {
    if (this.#hosts === undefined) return false;
    return (await this.#hosts.holders(numbered(namePrefix, most))).size > 0;
  }

  /** Takes the id of a call for this host; undefined while another has it. */
  takeCall(id: string): Promise<Fence | undefined> {
    return this.#hosts!.take(callPrefix + id);
  }

  async release(fence: Fence): Promise<void> {
    await this.#hosts!.release(fence).catch((error: unknown) =>
      this.#parts.log.debug({ error, name: fence.name }, "a name of this host could not be given back"),
    );
  }

  /** Those of these conversations that a host works in, this one or another. */
  async among(conversationIds: readonly string[]): Promise<ReadonlySet<string>> {
    if (this.#hosts === undefined || conversationIds.length === 0) return new Set();
    const names = [...new Set(conversationIds)].map((id) => prefix + id);
    return new Set([...(await this.#hosts.holders(names)).keys()].map(conversationOf));
  }

  async has(conversationId: string): Promise<boolean> {
    return (await this.among([conversationId])).has(conversationId);
  }

  watch(listener: {
    readonly lost: (conversationIds: readonly string[]) => void;
    readonly abandoned: (conversationIds: readonly string[]) => void;
  }): void {
    if (this.#hosts === undefined) return;
    this.#hosts.watch({
      lost: (names) => listener.lost(conversationsIn(names)),
      abandoned: (names) => {
        const conversations = conversationsIn(names);
        if (conversations.length > 0) listener.abandoned(conversations);
      },
    });
    // Calls of a host that is gone are stored, or came to nothing, and its runs are at work no more.
    for (const begin of freed) freeAbandoned(this.#hosts, { prefix: begin, log: this.#parts.log });
  }

  /** Tells of names that begin so and that another host has taken away. */
  watchLost(namePrefix: string, lost: (names: readonly string[]) => void): void {
    this.#hosts?.watch({
      lost: (names) => lost(names.filter((name) => name.startsWith(namePrefix))),
      abandoned: () => undefined,
    });
  }

  /**
   * Carries out what other hosts ask of this one. `carryOut` gives undefined where it is not its business.
   */
  serve(carryOut: (conversationId: string, errand: Errand) => Promise<void> | undefined): void {
    if (this.#hosts === undefined) return;
    this.#parts.stores.storage.watch(collection, ({ id, deleted }) => {
      if (!deleted) void this.#serve(id, carryOut);
    });
  }

  async #serve(id: string, carryOut: Parameters<OtherHosts["serve"]>[0]): Promise<void> {
    try {
      const found = await this.#errands.get(id);
      const done = found && carryOut(found.conversationId, found.errand);
      if (done === undefined) return;
      await done;
      await this.#errands.delete(id);
    } catch (error) {
      this.#parts.log.warn({ error }, "what another host has asked for could not be done");
    }
  }

  /**
   * Asks the host that works in a conversation; false where none does any more, and the caller may do it
   * itself. Rejects with `conversation_busy` when it does not do it in time.
   */
  async ask(conversationId: string, errand: Errand): Promise<boolean> {
    const id = newId.uuid();
    const put: StoredErrand = { id, conversationId, errand: errand as Errand & JsonObject };
    const until = performance.now() + longestWait;
    const { storage } = this.#parts.stores;
    await this.#errands.put(put);
    while (performance.now() < until) {
      await nextChange(storage, collection, (changed, deleted) => changed === id && deleted);
      const found = await this.#errands.get(id);
      if (found === undefined) return true;
      if (!(await this.has(conversationId))) return !(await this.#errands.delete(id));
      await this.#errands.put(put, { ifVersion: found.version }).catch(() => undefined);
    }
    if (!(await this.#errands.delete(id))) return true;
    throw new AppError({
      code: "conversation_busy",
      message: "The host that works in this conversation does not answer. Try again.",
      retryAfter: 5,
    });
  }

  /** The same for a run; false, too, where it has ended. */
  async askFor({ status, conversationId }: RunRecord, errand: Errand): Promise<boolean> {
    if (status === "ended" || !(await this.has(conversationId))) return false;
    return this.ask(conversationId, errand);
  }
}

const numbered = (namePrefix: string, most: number): readonly string[] =>
  Array.from({ length: most }, (_, at) => namePrefix + String(at));

const conversationOf = (name: string): string => name.slice(prefix.length);

const conversationsIn = (names: readonly string[]): readonly string[] =>
  names.filter((name) => name.startsWith(prefix)).map(conversationOf);
