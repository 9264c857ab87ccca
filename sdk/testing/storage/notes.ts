import type { Collection, Entity, Json, Storage, Write } from "@pergola/sdk";

/** The record that the suite writes. */
export interface Note extends Entity {
  readonly scope?: string | null;
  readonly seq?: number;
  readonly mark?: Json;
  readonly body?: Json;
}

export const notesOf = (storage: Storage): Collection<Note> =>
  storage.collection<Note>("notes", { indexes: [["scope", "seq"], "seq", "mark", ["scope", "mark", "seq"]] });

export const idsOf = (records: readonly Entity[]): readonly string[] => records.map(({ id }) => id);

export const putNote = (put: Note): Write => ({ collection: "notes", put });
