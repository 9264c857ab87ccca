import { rm } from "node:fs/promises";
import { AppError, defined } from "@pergola/sdk";
import {
  detachAll,
  type Topic,
  NamedRecords,
  retryConflicts,
  type Parts,
  type TopicKeeper,
  type TopicService,
} from "@pergola/sdk/host";

/** Conversations that are looked at in one request. */
const page = 500;

/** Topics in the host's storage. Which conversations are attached to one is told by the conversations. */
export class Topics extends NamedRecords<Topic> implements TopicKeeper {
  readonly #parts: Parts;
  /** Topics that were made for a request which may yet be refused. */
  readonly #tentative = new Set<string>();

  constructor(parts: Parts) {
    super(parts.stores.storage, "topics", "topic");
    this.#parts = parts;
  }

  conversationCount(id: string): Promise<number> {
    return this.#parts.stores.conversations.count({ topicId: id.toLowerCase(), hidden: false });
  }

  create({
    name,
    description = "",
  }: Parameters<TopicService["create"]>[0]): ReturnType<TopicService["create"]> {
    return this.#create(name, description, "name");
  }

  async #create(title: string, description: string, param: string): ReturnType<TopicService["create"]> {
    const now = this.#parts.timestamp();
    const make = (id: string, name: string): Topic => ({
      id,
      name,
      description,
      createdAt: now,
      updatedAt: now,
      workspace: null,
    });
    const { record, isNew } = await this.findOrCreate(title, make, param);
    return { topic: record, isNew };
  }

  update(id: string, { name, description }: Parameters<TopicService["update"]>[1]): Promise<Topic> {
    const updatedAt = this.#parts.timestamp();
    const changes = { ...defined({ name, description }), updatedAt };
    return this.change(id, (now) => ({ ...now, ...changes }));
  }

  delete(id: string, { deleteFiles }: { readonly deleteFiles: boolean }): Promise<void> {
    return this.withLock(id, async () => {
      const topic = await this.get(id);
      if ((await this.#isAtWork(topic.id)) || (await this.#isAtWorkElsewhere(topic.id)))
        throw new AppError({
          code: "in_use",
          message: "A run works in this topic. Try again when it has ended.",
        });
      await retryConflicts(() => this.#remove(topic.id));
      await this.#detachLate(topic.id);
      if (deleteFiles && topic.workspace !== null)
        await rm(topic.workspace, { recursive: true, force: true });
    });
  }

  async #isAtWork(id: string): Promise<boolean> {
    return this.#parts.conversations.hasActiveIn(id) || this.#parts.runs.usesMemoryOf(id);
  }

  /** Whether another host works in one of its conversations. */
  async #isAtWorkElsewhere(topicId: string): Promise<boolean> {
    const { runs, stores } = this.#parts;
    if (stores.storage.hosts === undefined) return false;
    for (let offset = 0; ; offset += page) {
      const found = await stores.conversations.find({ topicId }, { limit: page, offset });
      if ((await runs.workedInElsewhere(found.map(({ id }) => id))).size > 0) return true;
      if (found.length < page) return false;
    }
  }

  /** Conversations in which another host began to work meanwhile are still in it: it takes them out. */
  async #detachLate(topicId: string): Promise<void> {
    const { conversations, stores } = this.#parts;
    if (stores.storage.hosts === undefined) return;
    const late = await stores.conversations.find({ topicId }, { limit: page });
    await Promise.all(late.map(({ id }) => conversations.put(id, { topicId: null })));
  }

  /** The topic goes in one commit with its memory and the last of its conversations' attachments. */
  async #remove(topicId: string): Promise<void> {
    const removal = [
      ...(this.#parts.memory?.deletionWrites(topicId) ?? []),
      ...(await this.removalWrites(topicId)),
    ];
    await detachAll(this.#parts, { topicId }, removal);
  }

  async obtain<T>(name: string, work: (topic: Topic) => Promise<T>): Promise<T> {
    const { topic, isNew } = await this.#create(name, "", "topic");
    if (isNew) this.#tentative.add(topic.id);
    const done = await this.withLock(topic.id, async () => {
      const now = await this.find(topic.id);
      return now && { value: await work(now) };
    });
    if (done === undefined) return this.obtain(name, work);
    return done.value;
  }

  async settle(id: string): Promise<void> {
    if (!this.#tentative.has(id)) return;
    await this.withLock(id, async () => {
      if ((await this.#isAtWork(id)) || !this.#tentative.delete(id)) return;
      if ((await this.#parts.stores.conversations.count({ topicId: id })) > 0) return;
      await this.#parts.stores.commit(await this.removalWrites(id));
    });
  }

  async workspaceOf(id: string, propose: (topic: Topic) => string): Promise<string | undefined> {
    const topic = await this.find(id);
    if (topic === undefined || topic.workspace !== null) return topic?.workspace ?? undefined;
    const { workspace } = await this.change(id, (now) => ({
      ...now,
      workspace: now.workspace ?? propose(now),
    }));
    return workspace ?? undefined;
  }
}
