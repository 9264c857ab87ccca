import type { Awaitable, Storage } from "@pergola/sdk";
import { describeBlobs } from "./storage/blobs.ts";
import { describeCommit } from "./storage/commit.ts";
import { describeStorageFaults, type OpenAgain } from "./storage/faults.ts";
import { describeProcessFaults } from "./storage/process-faults.ts";
import type { BuiltStorage } from "./storage/other-process.ts";
import { describeFind } from "./storage/find.ts";
import { describePaging } from "./storage/paging.ts";
import { describeRecords } from "./storage/records.ts";
import { describeSearch } from "./storage/search.ts";
import { describeTexts } from "./storage/texts.ts";
import { describeWatch } from "./storage/watch.ts";

/**
 * What every storage backend must do: the contract of `Storage`, rule by rule. A backend's own test file
 * calls this once. `open` gives a new, empty storage each time; the suite closes it. `lasting`, for a storage
 * that keeps its data, gives what opens a new store of its own again and again. `plugin` is the same storage
 * as a host finds it, for what is done to a process of its own.
 */
export function describeStorage(
  name: string,
  open: () => Awaitable<Storage>,
  { lasting, plugin }: { readonly lasting?: () => OpenAgain; readonly plugin?: BuiltStorage } = {},
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
  if (plugin !== undefined) describe(`${name} storage`, () => describeProcessFaults(plugin));
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
