import { temporaryFolder, toolContext } from "@pergola/sdk/testing";
import type { Collection, Storage } from "@pergola/sdk";
import { openPostgres } from "../../open-postgres.ts";

const { log } = toolContext();
const opened: Storage[] = [];

/** Opens a storage that is closed after the test. */
export async function openHost(settings: object, hostLabel = ""): Promise<Storage> {
  const storage = await openPostgres({ ...settings }, { dataDirectory: temporaryFolder(), log, hostLabel });
  opened.push(storage);
  return storage;
}

afterEach(async () => {
  await Promise.all(opened.splice(0).map(async (storage) => storage.close()));
});

export interface Thing {
  readonly id: string;
  readonly kind?: string;
  readonly body?: number;
}

export const thingsOf = (storage: Storage, indexes: readonly string[] = ["kind"]): Collection<Thing> =>
  storage.collection<Thing>("things", { indexes });

/** What a promise is rejected with. */
export async function refusal(
  promise: Promise<unknown>,
): Promise<Error & { readonly [field: string]: unknown }> {
  try {
    await promise;
  } catch (error) {
    return error as Error & { readonly [field: string]: unknown };
  }
  throw new Error("it was not refused");
}
