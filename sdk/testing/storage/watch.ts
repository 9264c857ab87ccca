import { expect } from "chai";
import type { Change, Storage } from "@pergola/sdk";
import { caught } from "./caught.ts";
import { notesOf } from "./notes.ts";

/** Notices of changes. A storage with other hosts may give them late, so each test waits for the last one. */
export function describeWatch(opened: () => Storage): void {
  describe("watch", () => {
    const watched = (): {
      readonly changes: readonly Change[];
      readonly until: (id: string) => Promise<void>;
      readonly end: () => void;
    } => {
      const changes: Change[] = [];
      let wake = (): void => undefined;
      const end = opened().watch("notes", (change) => {
        changes.push(change);
        wake();
      });
      const until = async (id: string): Promise<void> => {
        while (!changes.some((change) => change.id === id))
          await new Promise<void>((resolve) => (wake = resolve));
      };
      return { changes, until, end };
    };

    it("tells of puts and deletes in the order in which they were made", async () => {
      const notes = notesOf(opened());
      const { changes, until } = watched();
      await notes.put({ id: "a", scope: "s" });
      await notes.delete("a");
      await notes.delete("a");
      await notes.put({ id: "b", scope: "s" });
      await opened().commit([
        { collection: "notes", deleteWhere: { scope: "s" } },
        { collection: "notes", put: { id: "last" } },
      ]);
      await until("last");
      expect(changes).to.deep.equal([
        { collection: "notes", id: "a", deleted: false },
        { collection: "notes", id: "a", deleted: true },
        { collection: "notes", id: "b", deleted: false },
        { collection: "notes", id: "b", deleted: true },
        { collection: "notes", id: "last", deleted: false },
      ]);
    });

    it("tells only of changes that others can already read", async () => {
      const notes = notesOf(opened());
      const read = new Promise((resolve) => opened().watch("notes", ({ id }) => resolve(notes.get(id))));
      await notes.put({ id: "a", body: 1 });
      expect(await read).to.deep.equal({ id: "a", body: 1, version: 1 });
    });

    it("tells nothing of a commit that failed, nor of other collections", async () => {
      const notes = notesOf(opened());
      const { changes, until } = watched();
      await opened().collection("others", { indexes: [] }).put({ id: "elsewhere" });
      const failed = opened().commit([
        { collection: "notes", put: { id: "never" } },
        { collection: "notes", put: { id: "x" }, ifVersion: 3 },
      ]);
      expect(await caught(failed)).to.equal("conflict");
      await notes.put({ id: "last" });
      await until("last");
      expect(changes.map(({ id }) => id)).to.deep.equal(["last"]);
    });

    it("ends a watch without ending another, and survives a listener that throws", async () => {
      const notes = notesOf(opened());
      const first = watched();
      opened().watch("notes", () => {
        throw new Error("a listener's own fault");
      });
      const second = watched();
      first.end();
      await notes.put({ id: "a" });
      await second.until("a");
      expect([first.changes.length, second.changes.length]).to.deep.equal([0, 1]);
    });
  });
}
