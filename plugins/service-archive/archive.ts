import { newId, type Collection, type HistoryChunk, type Page, type Write } from "@pergola/sdk";
import type { ArchiveDraft, ArchiveKeeper, ArchiveRecord, Parts } from "@pergola/sdk/host";
import { recall, topicsOf } from "./recall.ts";

const collection = "service-archive/records";

/** Records that one question looks into: their summaries are read, so no index has to follow them. */
const searched = 500;

/** Records in the host's storage, by the number of their last message. */
export class Archive implements ArchiveKeeper {
  readonly #parts: Pick<Parts, "timestamp">;
  readonly #records: Collection<ArchiveRecord>;

  constructor(parts: Pick<Parts, "timestamp" | "stores">) {
    this.#parts = parts;
    this.#records = parts.stores.storage.collection<ArchiveRecord>(collection, {
      indexes: [["conversationId", "last"]],
    });
  }

  async list(conversationId: string, { limit = 100, offset = 0 } = {}): Promise<Page<ArchiveRecord>> {
    const [items, count] = await Promise.all([
      this.#records.find({ conversationId }, { order: "last", limit, offset }),
      this.#records.count({ conversationId }),
    ]);
    return {
      items: items.map(({ version: _, ...record }) => record),
      count,
    };
  }

  async newest(
    ...[conversationId, fits]: Parameters<ArchiveKeeper["newest"]>
  ): Promise<ArchiveRecord | undefined> {
    for (let limit = 1, offset = 0; ; [offset, limit] = [offset + limit, searched]) {
      const found = await this.#records.find({ conversationId }, { order: "-last", limit, offset });
      const newest = found.find(fits);
      if (newest !== undefined || found.length < limit) return newest;
    }
  }

  async recall(query: Parameters<ArchiveKeeper["recall"]>[0]): Promise<readonly HistoryChunk[]> {
    const { conversationIds } = query;
    const records = await this.#records.find(
      { conversationId: { in: conversationIds } },
      { order: "-last", limit: searched },
    );
    return recall(records, query);
  }

  writes(draft: ArchiveDraft): readonly Write[] {
    const put: ArchiveRecord = {
      ...draft,
      keyTopics: topicsOf(draft.summary),
      id: newId.uuid(),
      createdAt: this.#parts.timestamp(),
    };
    return [{ collection, put }];
  }

  deletionWrites(conversationId: string): readonly Write[] {
    return [{ collection, deleteWhere: { conversationId } }];
  }
}
