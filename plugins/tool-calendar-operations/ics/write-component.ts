import { createHash } from "node:crypto";
import type { ToolContext } from "@pergola/sdk";
import type { Kind } from "./items.ts";
import { loadIcal } from "./library.ts";

/** The same for the same call, so that after a crash the host can look whether it happened. */
export function uidFor({ conversationId, callId }: Pick<ToolContext, "conversationId" | "callId">): string {
  const hex = createHash("sha256").update(`${conversationId}/${callId}`).digest("hex");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join(
    "-",
  );
}

const basic = (time: number): string => new Date(time).toISOString().replace(/[-:]|\.\d+/g, "");
const clean = (text: string): string => text.replace(/\r\n?/g, "\n").replace(/[^\P{Cc}\n\t]/gu, "");

/** The instant as a content line. */
export const nowLine = (name: string, now: number): string => `${name}:${basic(now)}`;

/** The text of a new component: `texts` by property, escaped and folded; `lines` as they are. */
export async function componentText(
  kind: Kind,
  {
    uid,
    now,
    texts,
    lines,
  }: {
    readonly uid: string;
    readonly now: number;
    readonly texts: Readonly<Record<string, string | undefined>>;
    readonly lines: readonly string[];
  },
): Promise<string> {
  const { Property, helpers } = await loadIcal();
  const textLines = Object.entries(texts).flatMap(([name, text = ""]) => {
    if (text === "") return [];
    const property = new Property(name);
    property.setValue(clean(text));
    return [helpers.foldline(property.toICALString())];
  });
  const all = [
    `BEGIN:${kind}`,
    `UID:${uid}`,
    nowLine("DTSTAMP", now),
    nowLine("CREATED", now),
    ...lines,
    ...textLines,
    `END:${kind}`,
  ];
  return all.map((line) => `${line}\r\n`).join("");
}
