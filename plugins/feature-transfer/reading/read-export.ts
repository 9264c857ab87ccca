import { AppError, defined, isObject, messageOf, stringOf } from "@pergola/sdk";
import { apps } from "../apps/index.ts";
import type { App, AppConversation, AppReader, Fields } from "../apps/app.ts";
import { buildPackage } from "./build-package.ts";
import { entriesOf, type Entries, type Entry } from "./entries.ts";
import { fieldsOf } from "./fields.ts";
import { jsonItems } from "./json-items.ts";
import { Tally } from "./tally.ts";

/** What was found in an export, in its order. */
export type Found =
  | {
      readonly kind: "conversation";
      /** It is a package of Pergola already. */
      readonly isPackage: boolean;
      readonly title: string;
      readonly pack: unknown;
      readonly model?: string;
      readonly leftOut: Tally;
    }
  /** Nothing was said in it. */
  | { readonly kind: "empty" }
  /** A file that could not be read to its end, or an item in it. */
  | { readonly kind: "problem"; readonly name: string; readonly message: string };

export interface ReadOptions {
  /** The id of an app, `pergola`, or `auto`: each item is looked at. */
  readonly from: string;
  /** The model of this service that is meant by the name that an app has for it. */
  readonly modelOf: (name: string) => string | undefined;
  /** How much has been read of how much, in bytes. */
  readonly onBytes?: (read: number, all: number) => void;
}

/** Files of an export that hold other things are not read to their ends: items to look at. */
const mostUnknown = 100;

const isPackage = ({ formatVersion, conversation }: Fields): boolean =>
  typeof formatVersion === "string" && isObject(conversation);

/** The ids that `--from` knows. */
export const sources: readonly string[] = ["auto", "pergola", ...apps.map(({ id }) => id)];

const known = ["packages of Pergola", ...apps.map(({ name }) => `exports of ${name}`)].join(", ");

/** What a thing that is no conversation looks like, for the person who expected one. */
function describe(item: unknown): string {
  if (!isObject(item))
    return Array.isArray(item) ? "a list in a list" : `a ${item === null ? "null" : typeof item}`;
  const keys = Object.keys(item).slice(0, 8);
  return keys.length === 0 ? "an empty object" : `an object with the fields ${keys.join(", ")}`;
}

/** Reads the items of all files of one source. */
class ExportReader {
  readonly #options: ReadOptions;
  readonly #readers = new Map<App, AppReader>();
  #firstUnknown: string | undefined;
  #hasFound = false;
  #bytes = 0;

  constructor(options: ReadOptions) {
    this.#options = options;
  }

  async *read({ list, isOne }: Entries): AsyncIterable<Found> {
    const all = list.reduce((sum, { size }) => sum + size, 0);
    for (const entry of list) {
      try {
        yield* this.#items(entry, all);
      } catch (error) {
        const message = `${entry.name} cannot be read: ${messageOf(error)}.`;
        if (isOne && !this.#hasFound) throw new AppError({ code: "invalid_value", message, cause: error });
        yield { kind: "problem", name: entry.name, message };
      }
    }
    for (const [app, reader] of this.#readers)
      for (const conversation of reader.end()) yield this.#convert(app, conversation);
  }

  /** Throws AppError `invalid_value` where nothing was found. */
  checkFound(file: string): void {
    if (this.#hasFound) return;
    const looks = this.#firstUnknown === undefined ? "" : ` It begins with ${this.#firstUnknown}.`;
    const { from } = this.#options;
    const wanted = from === "auto" ? `Known are ${known}.` : `No conversation of --from ${from} is in it.`;
    throw new AppError({
      code: "invalid_value",
      message: `${file} holds no conversations that can be read.${looks} ${wanted}`,
    });
  }

  async *#items(entry: Entry, all: number): AsyncIterable<Found> {
    let unknown = 0;
    let isKnown = false;
    for await (const item of jsonItems(this.#counted(await entry.open(), all))) {
      const found = this.#recognize(item, entry.name);
      if (found === undefined) {
        this.#firstUnknown ??= describe(item);
        unknown += 1;
        if (isKnown)
          yield {
            kind: "problem",
            name: entry.name,
            message: `${entry.name} has ${describe(item)} among its conversations.`,
          };
        else if (unknown === mostUnknown) return;
        continue;
      }
      isKnown = true;
      this.#hasFound = true;
      yield* found;
    }
  }

  async *#counted(pieces: AsyncIterable<Uint8Array>, all: number): AsyncIterable<Uint8Array> {
    for await (const piece of pieces) {
      yield piece;
      this.#bytes += piece.length;
      this.#options.onBytes?.(this.#bytes, all);
    }
  }

  #recognize(item: unknown, name: string): Iterable<Found> | undefined {
    if (!isObject(item)) return undefined;
    const { from } = this.#options;
    if (isPackage(item)) return from === "auto" || from === "pergola" ? [asPackage(item)] : undefined;
    const app = apps.find((each) => (from === "auto" || from === each.id) && each.recognizes(item));
    if (app === undefined) return undefined;
    const reader = this.#readers.get(app) ?? app.open();
    this.#readers.set(app, reader);
    return this.#add(app, reader, item, name);
  }

  *#add(app: App, reader: AppReader, item: Fields, name: string): Iterable<Found> {
    for (const conversation of reader.add(item, name)) yield this.#convert(app, conversation);
  }

  #convert(app: App, conversation: AppConversation): Found {
    const { leftOut, model, title } = conversation;
    const pack = buildPackage(app.id, conversation, this.#options.modelOf);
    if (pack === undefined) return { kind: "empty" };
    const found = { isPackage: false, pack, leftOut, title: pack.conversation.title ?? title };
    return { kind: "conversation", ...found, ...defined({ model: model || undefined }) };
  }
}

function asPackage(item: Fields): Found {
  const title = stringOf(fieldsOf(item["conversation"])["title"]);
  return { kind: "conversation", isPackage: true, title, pack: item, leftOut: new Tally() };
}

/**
 * The conversations of a file, an archive or a folder as packages, one by one. Throws AppError
 * `invalid_value` where the source cannot be read or holds none.
 */
export async function* readExport(file: string, options: ReadOptions): AsyncIterable<Found> {
  const entries = await entriesOf(file);
  try {
    const reader = new ExportReader(options);
    yield* reader.read(entries);
    reader.checkFound(file);
  } finally {
    entries.close();
  }
}
