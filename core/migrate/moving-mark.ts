import { PluginError, type Storage } from "@pergola/sdk";

/** The blob that a storage has while something is being moved into it. */
export const movingMark = "pergola/moving";

/** From where something is being moved into a storage; undefined where nothing is. */
export async function movingFrom({ blobs }: Pick<Storage, "blobs">): Promise<string | undefined> {
  const bytes = await blobs.get(movingMark);
  return bytes && Buffer.from(bytes).toString();
}

export const setMark = (storage: Storage, from: string): Promise<void> =>
  storage.blobs.put(movingMark, Buffer.from(from));

export const removeMark = (storage: Storage): Promise<boolean> => storage.blobs.delete(movingMark);

/** Rejects with PluginError where a storage has only a part of what is being moved into it. */
export async function refuseUnfinished(type: string, storage: Storage): Promise<void> {
  const from = await movingFrom(storage);
  if (from === undefined) return;
  await storage.close();
  throw new PluginError(type, "open", `the storage is the target of a move from ${from} that has not ended`, {
    remedy: "Run the same `pergola migrate` again with the service stopped, or go on with the old storage.",
  });
}
