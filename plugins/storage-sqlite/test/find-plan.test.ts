import { expect } from "chai";
import { planFind } from "@pergola/sdk";
import type { Entity, FindOptions } from "@pergola/sdk";
import { openConnection } from "./support/open-connection.ts";

interface Message extends Entity {
  readonly conversationId?: string;
  readonly seq?: number;
  readonly visible?: boolean;
}

const indexes = [["conversationId", "seq"], ["conversationId", "visible", "seq"], ["seq"]];
const last = { id: "m5", conversationId: "c", seq: 5 };

/** Filter, options, and the index that carries the query from its first to its last record. */
const queries: readonly (readonly [object, FindOptions<Message>, string])[] = [
  [{ conversationId: "c" }, { order: "-seq", limit: 50 }, "records_1_f0_f1"],
  [{ conversationId: "c" }, { order: "-seq", limit: 50, after: last }, "records_1_f0_f1"],
  [{ conversationId: "c" }, { order: "seq", after: last }, "records_1_f0_f1"],
  [{ conversationId: "c", seq: { gte: 3, lt: 9 } }, { order: "-seq" }, "records_1_f0_f1"],
  [{ conversationId: "c", visible: true }, { order: "-seq", after: last }, "records_1_f0_f2_f1"],
  [{ conversationId: null, seq: { gte: 3 } }, { order: "seq" }, "records_1_f0_f1"],
  [{}, { order: "-seq", limit: 50, after: last }, "records_1_f1"],
  [{ seq: 5 }, {}, "records_1_f1"],
  [{}, { limit: 50, after: last }, "sqlite_autoindex_records_1_1"],
  [{ id: { in: ["a", "b", "c"] } }, {}, "sqlite_autoindex_records_1_1"],
];

describe("the plan of a query", () => {
  const connection = openConnection();
  connection.database.exec("BEGIN");
  connection.catalog.declare("messages", indexes);
  connection.database.exec("COMMIT");
  after(() => connection.database.close());

  for (const [filter, options, index] of queries) {
    it(`walks through ${index} alone, without a scan or a sort, for ${JSON.stringify({ ...filter, ...options })}`, () => {
      const plan = planFind({
        collection: "messages",
        indexes,
        filter: filter as Record<string, unknown>,
        options,
      });
      connection.records.find("messages", plan);
      const statement = connection.prepared.at(-1) ?? "";
      const parameters = Array.from(statement.matchAll(/\?/g), () => 1);
      const steps = connection.database
        .prepare(`EXPLAIN QUERY PLAN ${statement}`)
        .all(...parameters) as readonly {
        readonly detail: string;
      }[];
      expect(steps.length).to.equal(1);
      expect(steps[0]?.detail).to.match(new RegExp(`USING INDEX ${index}( |$)`));
    });
  }
});
