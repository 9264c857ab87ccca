import { AppError, newId, KeyedQueue, type Collection, type Page, type Stored } from "@pergola/sdk";
import {
  builtInId,
  isUuid,
  type Parts,
  type PromptDraft,
  type PromptFields,
  type PromptLibrary,
  type PromptText,
} from "@pergola/sdk/host";

/** A stored text; `key` is its name as it is compared. */
export type TextRecord<T extends PromptText> = T & { readonly key: string };

interface Kind<T extends PromptText> {
  readonly noun: string;
  readonly records: Collection<TextRecord<T>>;
  /** What the list is ordered by. */
  readonly order: keyof TextRecord<T> & string;
  readonly builtIn: readonly T[];
  /** Words for ids. */
  readonly words: Readonly<Record<string, string>>;
  /** The fields of a new text that its draft may leave out. */
  blank(): Promise<Omit<T, keyof PromptText>>;
}

/** Names that differ only by case, spaces or what cannot be seen are the same. */
const keyOf = (name: string): string =>
  name
    .normalize("NFC")
    .replaceAll(/[\s\p{Cc}\p{Cs}]+/gu, " ")
    .trim()
    .toLowerCase();

export const openTexts = <T extends PromptText>(
  { stores }: Pick<Parts, "stores">,
  name: string,
  ...indexes: readonly string[]
) =>
  stores.storage.collection<TextRecord<T>>(`service-prompts/${name}`, {
    indexes: [["key", "createdAt"], ...indexes],
  });

/** Texts of one kind: those that are built in, and those that people store beside them. */
export class Library<T extends PromptText> implements PromptLibrary<T> {
  readonly #parts: Pick<Parts, "timestamp">;
  readonly #kind: Kind<T>;
  readonly #turns = new KeyedQueue();

  constructor(parts: Pick<Parts, "timestamp">, kind: Kind<T>) {
    this.#parts = parts;
    this.#kind = kind;
  }

  async list({ limit = 1_000_000, offset = 0 }: Parameters<PromptLibrary<T>["list"]>[0] = {}): Promise<
    Page<T>
  > {
    const { builtIn, records, order } = this.#kind;
    const first = builtIn.slice(offset, offset + limit);
    const page = { order, offset: Math.max(0, offset - builtIn.length), limit: limit - first.length };
    const [stored, count] = await Promise.all([
      page.limit === 0 ? [] : records.find({}, page),
      records.count({}),
    ]);
    return {
      items: [...first, ...stored.map((one) => this.#publicText(one))],
      count: builtIn.length + count,
    };
  }

  async find(idOrName: string): Promise<T | undefined> {
    const found = await this.#withId(idOrName);
    if (found !== undefined) return found;
    const key = keyOf(idOrName);
    const builtIn = this.#kind.builtIn.find(({ name }) => keyOf(name) === key);
    if (builtIn !== undefined || key === "") return builtIn;
    const [stored] = await this.#kind.records.find({ key }, { order: "createdAt", limit: 1 });
    return stored && this.#publicText(stored);
  }

  async get(id: string): Promise<T> {
    const found = await this.#withId(id);
    if (found === undefined) throw this.#notFound(id);
    return found;
  }

  /** One after the other, so that each gets a place of its own. */
  create(draft: PromptDraft<T>): Promise<T> {
    return this.#turns.run("create", async () => {
      const now = this.#parts.timestamp();
      const own = {
        id: newId.uuid(),
        builtIn: false,
        createdAt: now,
        modifiedAt: now,
        key: keyOf(draft.name),
      };
      const made = { ...(await this.#kind.blank()), ...draft, ...own } as unknown as TextRecord<T>;
      await this.#kind.records.put(made, { ifVersion: 0 });
      return this.#publicText(made);
    });
  }

  async update(idOrWord: string, changes: PromptFields<T>): Promise<T> {
    const id = this.#changeable(idOrWord);
    return this.#turns.run(id, async () => {
      const now = await this.#stored(id);
      if (now === undefined) throw this.#notFound(idOrWord);
      const changed = { ...now, ...changes, modifiedAt: this.#parts.timestamp() };
      const put = { ...changed, key: keyOf(changed.name) };
      await this.#kind.records.put(put, { ifVersion: now.version });
      return this.#publicText(put);
    });
  }

  async delete(idOrWord: string): Promise<void> {
    const id = this.#changeable(idOrWord);
    const gone = await this.#turns.run(id, async () => isUuid(id) && (await this.#kind.records.delete(id)));
    if (!gone) throw this.#notFound(idOrWord);
  }

  #idOf(idOrWord: string): string {
    return builtInId(this.#kind.words, idOrWord) ?? idOrWord.trim().toLowerCase();
  }

  async #withId(idOrWord: string): Promise<T | undefined> {
    const id = this.#idOf(idOrWord);
    const builtIn = this.#kind.builtIn.find((text) => text.id === id);
    if (builtIn !== undefined) return builtIn;
    const stored = await this.#stored(id);
    return stored && this.#publicText(stored);
  }

  async #stored(id: string): Promise<Stored<TextRecord<T>> | undefined> {
    if (!isUuid(id)) return undefined;
    return this.#kind.records.get(id);
  }

  /** The id of a text that may be changed, if it exists. */
  #changeable(idOrWord: string): string {
    const id = this.#idOf(idOrWord);
    const { builtIn, noun } = this.#kind;
    if (builtIn.every((text) => text.id !== id)) return id;
    throw new AppError({
      code: "built_in",
      message: `The ${noun} "${idOrWord}" is built in and cannot be changed; make one of your own.`,
    });
  }

  #notFound(id: string): AppError {
    return new AppError({ code: "not_found", message: `There is no ${this.#kind.noun} "${id}".` });
  }

  #publicText(stored: TextRecord<T> & { readonly version?: number }): T {
    const { key: _key, version: _version, ...text } = stored;
    return text as unknown as T;
  }
}
