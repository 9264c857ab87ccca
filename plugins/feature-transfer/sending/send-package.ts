import { AppError, defined } from "@pergola/sdk";
import type { PackedMessage } from "../package-form.ts";
import { compare } from "./compare.ts";
import type { OnConflict, Service } from "./service.ts";

/** What the service answers to an import. */
export interface Imported {
  readonly conversationId: string;
  readonly imported: { readonly messages: number; readonly memories: number };
  readonly warnings: readonly string[];
}

interface Existing {
  readonly title: string;
  readonly folderId: string | null;
  readonly isPinned: boolean;
  readonly messages: readonly PackedMessage[];
}

/** A conversation of an app, whose id is the same in each of its exports. */
export interface AppPackage {
  readonly conversation: { readonly id: string; readonly messages: readonly PackedMessage[] };
}

/** What became of a conversation. */
export type Outcome =
  | { readonly kind: "imported" | "replaced"; readonly answer: Imported }
  /** It is here with all its messages. */
  | { readonly kind: "present" }
  /** It is here, and the export has more messages; `isContinued`: what is here has others, too. */
  | { readonly kind: "grown"; readonly messages: number; readonly isContinued: boolean };

const post = (service: Service, pack: unknown, onConflict: Exclude<OnConflict, "skip">): Promise<Imported> =>
  service.send("POST", `/v1/conversations/import?onConflict=${onConflict}`, pack);

const isTaken = (error: unknown): boolean => AppError.is(error) && error.code === "id_taken";

/** Sends a package of Pergola. */
export async function sendPackage(service: Service, pack: unknown, onConflict: OnConflict): Promise<Outcome> {
  if (onConflict !== "skip") return { kind: "imported", answer: await post(service, pack, onConflict) };
  try {
    return { kind: "imported", answer: await post(service, pack, "fail") };
  } catch (error) {
    if (isTaken(error)) return { kind: "present" };
    throw error;
  }
}

/**
 * Sends a conversation of an app. One that is here with all its messages stays as it is. One with fewer is
 * replaced if that is wanted, unless messages would be lost that are here alone.
 */
export async function sendConversation(
  service: Service,
  pack: AppPackage,
  onConflict: OnConflict,
): Promise<Outcome> {
  if (onConflict === "new_id") return { kind: "imported", answer: await post(service, pack, "new_id") };
  try {
    return { kind: "imported", answer: await post(service, pack, "fail") };
  } catch (error) {
    if (onConflict === "fail" || !isTaken(error)) throw error;
  }
  const address = `/v1/conversations/${pack.conversation.id}`;
  const existing = await service.send<Existing>("GET", `${address}?view=all`);
  const { onlyInExport, onlyHere } = compare(pack.conversation.messages, existing.messages);
  if (onlyInExport === 0) return { kind: "present" };
  if (onConflict === "skip" || onlyHere > 0)
    return { kind: "grown", messages: onlyInExport, isContinued: onlyHere > 0 };
  return { kind: "replaced", answer: await replace(service, pack, existing) };
}

/** The title, the folder and the pin are the person's own here. */
async function replace(service: Service, pack: AppPackage, existing: Existing): Promise<Imported> {
  const answer = await post(service, pack, "replace");
  const { title, folderId, isPinned } = existing;
  const own = defined({ title, folderId: folderId ?? undefined, isPinned });
  await service.send("PATCH", `/v1/conversations/${pack.conversation.id}`, own);
  return answer;
}
