import type { Awaitable, Storage } from "@pergola/sdk";
import { describeBlobs } from "./storage/blobs.ts";
import { describeCommit } from "./storage/commit.ts";
import { describeStorageFaults, type OpenAgain } from "./storage/faults.ts";
import { describeFind } from "./storage/find.ts";
import { describePaging } from "./storage/paging.ts";
import { describeRecords } from "./storage/records.ts";
import { describeSearch } from "./storage/search.ts";
import { describeTexts } from "./storage/texts.ts";
import { describeWatch } from "./storage/watch.ts";

/**
 * What every storage backend must do: the contract of `Storage`, rule by rule. A backend's own test file
 * calls this once. `open` gives a new, empty storage each time; the suite closes it. `lasting`, for a storage
 * that keeps its data, gives what opens a new store of its own again and again.
 */
export function describeStorage(
  name: string,
  open: () => Awaitable<Storage>,
  { lasting }: { readonly lasting?: () => OpenAgain } = {},
): void {
  describe(`${name} storage`, () => {
    let storage: Storage;
    beforeEach(async () => {
      storage = await open();
    });
    afterEach(() => storage.close());

    for (const describePart of parts) describePart(() => storage);
  });
  if (lasting !== undefined) describe(`${name} storage`, () => describeStorageFaults(lasting));
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
