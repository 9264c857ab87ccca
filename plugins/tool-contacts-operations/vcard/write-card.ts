import { createHash } from "node:crypto";
import type { ToolContext } from "@pergola/sdk";
import { editCard, valuesOf, type Fields } from "./edit-card.ts";
import { idOf } from "./read-card.ts";
import { linesOf } from "./lines.ts";

/** The same for the same call, so that after a crash the host can look whether it happened. */
export function uidFor({ conversationId, callId }: Pick<ToolContext, "conversationId" | "callId">): string {
  const hex = createHash("sha256").update(`${conversationId}/${callId}`).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    "-",
  );
}

const revision = (now: number): string => new Date(now).toISOString().replace(/\.\d+/, "");

/** A card with new fields. It says when it was changed, and keeps the id it is known by. */
export async function changedCard(card: string, fields: Fields, now: number): Promise<string> {
  const { helpers } = (await import("ical.js")).default;
  const values = { ...valuesOf(linesOf(card), fields), UID: idOf(card), REV: revision(now) };
  return editCard(card, values, (line) => helpers.foldline(line));
}

/** A new card, in vCard 3.0, which every program reads. */
export const newCard = async (uid: string, fields: Fields, now: number): Promise<string> =>
  changedCard(
    `BEGIN:VCARD\r\nVERSION:3.0\r\nPRODID:-//Pergola//Contacts//EN\r\nUID:${uid}\r\nEND:VCARD\r\n`,
    { last_name: "", ...fields },
    now,
  );
