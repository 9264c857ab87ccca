import { wireMessage, type Message } from "@pergola/sdk";
import type { Parts } from "@pergola/sdk/host";
import type { Belongings } from "./belongings.ts";
import { formatVersion } from "./package-form.ts";
import { pieces } from "./pages.ts";

type Facts = { readonly exportedAt: string; readonly serviceVersion: string };

const packedMessage = (message: Message): object => ({
  seq: message.seq,
  ...wireMessage(message),
  // Elsewhere they have other ids.
  memories: undefined,
  toolCalls: message.toolCalls?.map(({ id, name, arguments: args, providerId, callers }) => ({
    id,
    type: "function",
    function: { name, arguments: args },
    providerId,
    callers,
  })),
  visible: message.visible,
  streamedText: message.streamedText,
  completionReason: message.completionReason,
  extra: message.extra,
});

/** A list as JSON, item by item. */
async function* listed<T>(items: AsyncIterable<T>, write: (item: T) => string): AsyncIterable<string> {
  let separator = "[";
  for await (const item of items) {
    yield separator + write(item);
    separator = ",";
  }
  yield separator === "[" ? "[]" : "]";
}

/** A record without the count of its writes. */
function plain<T extends object>(record: T): T {
  const { version: _, ...rest } = record as T & { readonly version?: number };
  return rest as T;
}

/**
 * A conversation with all that belongs to it as JSON text, in pieces: no more than a page of it is in memory.
 * Secrets are redacted.
 */
export const writePackage = (
  parts: Pick<Parts, "redact">,
  of: Belongings,
  facts: Facts,
): AsyncIterable<string> => pieces(texts(parts, of, facts));

async function* texts(
  { redact }: Pick<Parts, "redact">,
  of: Belongings,
  facts: Facts,
): AsyncIterable<string> {
  const redacted = (_: string, field: unknown): unknown =>
    typeof field === "string" ? redact(field) : field;
  const json = (value: unknown): string => JSON.stringify(value ?? null, redacted);
  const {
    workspace: _workspace,
    host: _host,
    workingDirectory: _directory,
    nextSeq: _next,
    branches: _branches,
    isImported: _isImported,
    activeBranch: _activeBranch,
    ...conversation
  } = plain(of.conversation);
  yield `${json({ formatVersion, ...facts }).slice(0, -1)},"conversation":`;
  yield `${json(conversation).slice(0, -1)},"messages":`;
  yield* listed(of.messages({ allBranches: true }), (message) => json(packedMessage(message)));
  yield `},"memories":`;
  yield* listed(of.memories(), ({ scope: _, ...item }) => json(item));
  yield `,"archive":`;
  yield* listed(of.archive(), ({ id: _id, conversationId: _of, ...record }) => json(record));
  yield `,"results":`;
  yield* listed(of.results(), ({ id: _id, conversationId: _of, ...result }) => json(result));
  yield `,"todos":${json(await of.todos())},"folder":${json(await of.folder())}`;
  yield `,"topic":${json(plainTopic(await of.topic()))}}`;
}

/** Where its files are is this computer's own matter. */
const plainTopic = (topic: Awaited<ReturnType<Belongings["topic"]>>): object | null => {
  if (topic === undefined) return null;
  const { workspace: _, ...rest } = plain(topic);
  return rest;
};
