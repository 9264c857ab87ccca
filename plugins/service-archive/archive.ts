import { newId } from "@pergola/sdk";
import type { ArchiveKeeper, ArchiveRecord, Parts } from "@pergola/sdk/host";
import { recall, topicsOf } from "./recall.ts";

const collection = "service-archive/records";

/** Records that one question looks into: their summaries are read, so no index has to follow them. */
const searched = 500;

/** Records in the host's storage, by the number of their last message. */
export function openArchive({ timestamp, stores }: Pick<Parts, "timestamp" | "stores">): ArchiveKeeper {
  const records = stores.storage.collection<ArchiveRecord>(collection, {
    indexes: [["conversationId", "last"]],
  });
  return {
    async list(conversationId, { limit = 100, offset = 0 } = {}) {
      const [items, count] = await Promise.all([
        records.find({ conversationId }, { order: "last", limit, offset }),
        records.count({ conversationId }),
      ]);
      return {
        items: items.map(({ version: _, ...record }) => record),
        count,
      };
    },

    async newest(conversationId, fits) {
      for (let limit = 1, offset = 0; ; [offset, limit] = [offset + limit, searched]) {
        const found = await records.find({ conversationId }, { order: "-last", limit, offset });
        const newest = found.find(fits);
        if (newest !== undefined || found.length < limit) return newest;
      }
    },

    async recall(query) {
      const found = await records.find(
        { conversationId: { in: query.conversationIds } },
        { order: "-last", limit: searched },
      );
      return recall(found, query);
    },

    writes(draft) {
      const put: ArchiveRecord = {
        ...draft,
        keyTopics: topicsOf(draft.summary),
        id: newId.uuid(),
        createdAt: timestamp(),
      };
      return [{ collection, put }];
    },

    deletionWrites: (conversationId) => [{ collection, deleteWhere: { conversationId } }],
  };
}
