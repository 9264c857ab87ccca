import type { Fields } from "../parameters.ts";
import { editCard, valuesOf } from "./edit-card.ts";
import { idOf } from "./read-card.ts";
import { linesOf } from "./lines.ts";

const revision = (now: number): string => new Date(now).toISOString().replace(/\.\d+/, "");

/** The card with new fields and the time of the change. It keeps the ID that search returned for it. */
export async function changedCard(card: string, fields: Fields, now: number): Promise<string> {
  const { helpers } = (await import("ical.js")).default;
  const values = { ...valuesOf(linesOf(card), fields), UID: idOf(card), REV: revision(now) };
  return editCard(card, values, (line) => helpers.foldline(line));
}

/** A new card in vCard 3.0, which every program can read. */
export const newCard = async (uid: string, fields: Fields, now: number): Promise<string> =>
  changedCard(
    `BEGIN:VCARD\r\nVERSION:3.0\r\nPRODID:-//Pergola//Contacts//EN\r\nUID:${uid}\r\nEND:VCARD\r\n`,
    { last_name: "", ...fields },
    now,
  );
