import type { Awaitable, Storage } from "@pergola/sdk";
import { describeBlobs } from "./storage/blobs.ts";
import { describeCommit } from "./storage/commit.ts";
import { describeFind } from "./storage/find.ts";
import { describePaging } from "./storage/paging.ts";
import { describeRecords } from "./storage/records.ts";
import { describeSearch } from "./storage/search.ts";
import { describeTexts } from "./storage/texts.ts";
import { describeWatch } from "./storage/watch.ts";

/**
 * What every storage backend must do: the contract of `Storage`, rule by rule. A backend's own test file
 * calls this once. `open` gives a new, empty storage each time; the suite closes it.
 */
export function describeStorage(name: string, open: () => Awaitable<Storage>): void {
  describe(`${name} storage`, () => {
    let storage: Storage;
    beforeEach(async () => {
      storage = await open();
    });
    afterEach(() => storage.close());

    for (const describePart of parts) describePart(() => storage);
  });
}

const parts = [
  describeRecords,
  describeFind,
  describePaging,
  describeCommit,
  describeSearch,
  describeTexts,
  describeBlobs,
  describeWatch,
];
