import { createHash } from "node:crypto";
import type { ToolContext } from "@pergola/sdk";

const sha256 = (text: string): string => createHash("sha256").update(text).digest("hex");

/**
 * The UID for the object that a tool call creates, in the form of a UUID. The same call always gets the same
 * one, so that after a crash the tool can look whether the object was created.
 */
export function uidForCall({
  conversationId,
  callId,
}: Pick<ToolContext, "conversationId" | "callId">): string {
  const hex = sha256(`${conversationId}/${callId}`);
  return hex.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*/, "$1-$2-$3-$4-$5");
}

/** An ID for an object without a UID, derived from its text: it is valid until the text changes. */
export const uidFromText = (text: string): string => `without-uid-${sha256(text.trimEnd()).slice(0, 16)}`;
