import type { Write } from "@pergola/sdk";
import type {
  ImportOptions,
  Topic,
  TransferService,
  ExportedFile,
  ExportFormat,
  Folder,
  ImportResult,
  Parts,
} from "@pergola/sdk/host";
import { Belongings } from "./belongings.ts";
import { checkPackage } from "./check-package.ts";
import { fileName } from "./file-name.ts";
import { importMemories } from "./import-memories.ts";
import { newIds } from "./new-ids.ts";
import { packageSchema, type Package } from "./package-form.ts";
import { readConversation, type Place } from "./read-conversation.ts";
import { readTree } from "./read-tree.ts";
import { readMessages, readResult, withAnswers } from "./read-messages.ts";
import { resolveId } from "./resolve-id.ts";
import { writeMarkdown } from "./write-markdown.ts";
import { writePackage } from "./write-package.ts";

type Warn = (text: string) => void;

const isPresent = (value: unknown): boolean => value !== undefined && value !== null;

/** Conversations out of the service with all that belongs to them, and back in. */
export class Transfer implements TransferService {
  readonly #parts: Parts;
  readonly #check: ReturnType<Parts["compile"]>;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#check = parts.compile(packageSchema);
  }

  async export(idOrAlias: string, format: ExportFormat): Promise<ExportedFile> {
    const parts = this.#parts;
    const conversation = await parts.conversations.get(idOrAlias);
    const belongings = new Belongings(parts, conversation);
    const facts = { exportedAt: parts.timestamp(), serviceVersion: parts.version };
    if (format === "markdown")
      return {
        name: fileName(conversation, "md"),
        contentType: "text/markdown; charset=utf-8",
        chunks: writeMarkdown(parts, belongings, facts),
      };
    return {
      name: fileName(conversation, "json"),
      contentType: "application/json; charset=utf-8",
      chunks: writePackage(parts, belongings, facts),
    };
  }

  async import(value: unknown, { onConflict }: ImportOptions): Promise<ImportResult> {
    const pack = checkPackage(value, this.#check);
    const warnings: string[] = [];
    const warn: Warn = (text) => void warnings.push(text);
    this.#warnOfMissing(pack, warn);
    const folder = await this.#folderOf(pack);
    const { replaces, ...named } = await resolveId(this.#parts, pack.conversation, onConflict, warn);
    const { topics } = this.#parts;
    const store = (topic?: Topic): Promise<Omit<ImportResult, "warnings">> =>
      this.#store(pack, { ...named, folder, topic }, replaces, warn);
    const stored = await (pack.topic === undefined || pack.topic === null || topics === undefined
      ? store()
      : topics.obtain(pack.topic.name, store));
    return { ...stored, warnings: [...new Set(warnings)] };
  }

  /** All in one commit. */
  async #store(
    pack: Package,
    place: Omit<Place, "warn">,
    replaces: boolean,
    warn: Warn,
  ): Promise<Omit<ImportResult, "warnings">> {
    const { archive, conversations, todos } = this.#parts;
    const { id } = place;
    const ids = await newIds(this.#parts, pack, replaces ? id : undefined);
    const read = readMessages(pack.conversation.messages, id, ids, this.#parts.timestamp());
    const { messages, branches } = readTree(pack.conversation, withAnswers(read, warn));
    const imported = await readConversation(this.#parts, pack, { ...place, warn }, messages);
    const conversation = { ...imported, ...branches };
    const memories = await importMemories(this.#parts, pack, { id, topicId: place.topic?.id, replaces });
    const results = (pack.results ?? []).map((result) => readResult(result, id, ids, conversation.updated));
    const writes: readonly Write[] = [
      ...messages.map((put): Write => ({ collection: "messages", put })),
      ...results.map((put): Write => ({ collection: "results", put })),
      ...(todos?.writes(id, pack.todos ?? []) ?? []),
      ...(pack.archive ?? []).flatMap(
        (record) => archive?.writes({ ...record, conversationId: id, imported: true }) ?? [],
      ),
      ...memories.writes,
    ];
    await conversations.insert(conversation, writes, { replaces });
    await memories.follow();
    return { conversation, messages: messages.length, memories: memories.count };
  }

  /** What no plugin keeps here is left out. */
  #warnOfMissing({ memories = [], archive = [], todos = [], folder, topic }: Package, warn: Warn): void {
    const contents = [
      ["memory", memories.length > 0, "memories"],
      ["archive", archive.length > 0, "an archive"],
      ["todos", todos.length > 0, "to-dos"],
      ["folders", isPresent(folder), "folders"],
      ["topics", isPresent(topic), "topics"],
    ] as const;
    for (const [part, present, what] of contents)
      if (present && this.#parts[part] === undefined)
        warn(`No plugin keeps ${what} here; the package's were left out.`);
  }

  async #folderOf({ folder }: Package): Promise<Folder | undefined> {
    if (folder === undefined || folder === null) return undefined;
    const { name, color = null, icon = null } = folder;
    return (await this.#parts.folders?.create({ name, color, icon }))?.folder;
  }
}
