import { AppError, newId, type Clock, type Collection } from "@pergola/sdk";

/** A note as it is stored. */
export interface Note {
  readonly id: string;
  readonly text: string;
  /** ISO 8601, UTC. */
  readonly createdAt: string;
}

/** The notes of this host. They can be used once it has started. */
export class Notes {
  #records: Collection<Note> | undefined;
  #clock: Clock | undefined;

  open(records: Collection<Note>, clock: Clock): void {
    this.#records = records;
    this.#clock = clock;
  }

  async add(text: string): Promise<Note> {
    const createdAt = new Date(this.#clock?.now() ?? 0).toISOString();
    const note = { id: newId.uuid(), text, createdAt };
    await this.#opened().put(note);
    return note;
  }

  /** The newest first. */
  async list(limit: number): Promise<readonly Note[]> {
    return this.#opened().find({}, { order: "-createdAt", limit });
  }

  #opened(): Collection<Note> {
    if (this.#records !== undefined) return this.#records;
    throw new AppError({ code: "unavailable", message: "The notes are not open yet." });
  }
}
