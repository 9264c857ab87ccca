import {
  type Conversation,
  type ExportedFile,
  type ExportFormat,
  type Folder,
  type Imported,
  type ImportOptions,
  type Parts,
  type Topic,
  type TransferService,
  type Write,
} from "@pergola/sdk";
import { Belongings } from "./belongings.ts";
import { checkPackage } from "./check-package.ts";
import { fileName } from "./file-name.ts";
import { importMemories } from "./import-memories.ts";
import { newIds } from "./new-ids.ts";
import { packageSchema, type Package } from "./package-form.ts";
import { readMessages, readResult, withAnswers } from "./read-messages.ts";
import { readSettings } from "./read-settings.ts";
import { takenId } from "./taken-id.ts";
import { writeMarkdown } from "./write-markdown.ts";
import { writePackage } from "./write-package.ts";

type Warn = (text: string) => void;

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
    return format === "markdown"
      ? { name: fileName(conversation, "md"), contentType: "text/markdown; charset=utf-8", chunks: writeMarkdown(parts, belongings, facts) }
      : {
          name: fileName(conversation, "json"),
          contentType: "application/json; charset=utf-8",
          chunks: writePackage(parts, belongings, facts),
        };
  }

  async import(given: unknown, { onConflict, caller: _caller }: ImportOptions): Promise<Imported> {
    const pack = checkPackage(given, this.#check);
    const warnings: string[] = [];
    const warn: Warn = (text) => void warnings.push(text);
    const folder = await this.#folderOf(pack, warn);
    const { id, alias, replaces } = await takenId(this.#parts, pack.conversation, onConflict, warn);
    const store = async (topic: Topic | undefined): Promise<Omit<Imported, "warnings">> => {
      const made = await this.#conversation(pack, { id, alias, folder, topic }, warn);
      const ids = await newIds(this.#parts, pack, replaces ? id : undefined);
      const messages = withAnswers(readMessages(pack.conversation.messages, id, ids, this.#parts.timestamp()), warn);
      const memories = await importMemories(this.#parts, pack, { id, topicId: topic?.id, replaces });
      const conversation = {
        ...made,
        nextSeq: (messages.at(-1)?.seq ?? 0) + 1,
        messageCount: messages.filter(({ visible }) => visible).length,
      };
      const writes: readonly Write[] = [
        ...messages.map((put): Write => ({ collection: "messages", put })),
        ...(pack.results ?? []).map((result): Write => {
          return { collection: "results", put: readResult(result, id, ids, made.updated) };
        }),
        ...(this.#parts.todos?.writes(id, pack.todos ?? []) ?? []),
        ...(pack.archive ?? []).flatMap((record) => this.#parts.archive?.writes({ ...record, conversationId: id }) ?? []),
        ...memories.writes,
      ];
      await this.#parts.conversations.adopt(conversation, writes, { replaces });
      await memories.follow();
      return { conversation, messages: messages.length, memories: memories.count };
    };
    const { topics } = this.#parts;
    const name = pack.topic?.name;
    if (name !== undefined && topics === undefined) warn(`There are no topics here; "${name}" was left out.`);
    const stored = name === undefined || topics === undefined ? await store(undefined) : await topics.obtain(name, store);
    return { ...stored, warnings: [...new Set(warnings)] };
  }

  async #folderOf({ folder }: Package, warn: Warn): Promise<Folder | undefined> {
    if (folder === undefined || folder === null) return undefined;
    const { folders } = this.#parts;
    if (folders === undefined) warn(`There are no folders here; "${folder.name}" was left out.`);
    const { name, color = null, icon = null } = folder;
    return (await folders?.create({ name, color, icon }))?.folder;
  }

  async #conversation(
    { conversation: packed }: Package,
    {
      id,
      alias,
      folder,
      topic,
    }: Pick<Conversation, "id" | "alias"> & { readonly folder: Folder | undefined; readonly topic: Topic | undefined },
    warn: Warn,
  ): Promise<Conversation> {
    const now = this.#parts.timestamp();
    const { settings, enabledCustomInstructionIds } = await readSettings(this.#parts, packed, warn);
    const { title = "Imported conversation", titleSetBy = "user", created = now, updated = now, model = null } = packed;
    const { isPinned = false, hidden = false, isFromAPI = true } = packed;
    const shared = topic === undefined ? {} : { useSharedData: packed.settings?.useSharedData !== false, sharedTopicId: topic.id };
    return {
      id,
      alias,
      title,
      titleSetBy,
      created,
      updated,
      messageCount: 0,
      model,
      settings: { ...settings, ...shared },
      folderId: folder?.id ?? null,
      topicId: topic?.id ?? null,
      isPinned,
      hidden,
      isFromAPI,
      workingDirectory: null,
      workspace: null,
      enabledCustomInstructionIds,
      nextSeq: 1,
    };
  }
}
