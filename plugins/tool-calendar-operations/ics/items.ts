import { uidFromText } from "@pergola/kit-dav";
import type ICAL from "ical.js";
import { blocksOf, type Block } from "./blocks.ts";
import { loadIcal } from "./library.ts";

export const kinds = ["VEVENT", "VTODO"] as const;
export type Kind = (typeof kinds)[number];

/** What a component of each kind is to a person. */
export const nouns: Readonly<Record<Kind, string>> = { VEVENT: "event", VTODO: "reminder" };

export const isKind = (name: string): name is Kind => kinds.some((kind) => kind === name);

/** All components of one UID: a series with its changed occurrences, or a single event or reminder. */
export interface Item {
  readonly uid: string;
  readonly kind: Kind;
  readonly blocks: readonly Block[];
}

const unfolded = (text: string): string => text.replace(/\r?\n[ \t]/g, "");

/**
 * The component's own lines. Components inside it follow its properties (RFC 5545, section 3.6.1) or, in some
 * files, come before them.
 */
function ownText(text: string): string {
  const inner = text.slice(1).search(/^BEGIN:/im) + 1;
  if (inner === 0) return text;
  return text.slice(0, inner) + (text.split(/^END:VALARM/im).at(-1) ?? "");
}

/** The UID of a component. One without gets an ID made from its text, valid until the text changes. */
export function uidOf({ text }: Block): string {
  const uid = /^UID(?:;[^:\r\n]*)?:(.*?)[ \t]*\r?$/im.exec(unfolded(ownText(text)))?.[1];
  return uid || uidFromText(text);
}

/** The events or reminders of an iCalendar text. */
export function itemsOf(text: string, kind: Kind): readonly Item[] {
  const byUid = new Map<string, Block[]>();
  for (const block of blocksOf(text).filter((one) => one.kind === kind)) {
    const uid = uidOf(block);
    const blocks = byUid.get(uid) ?? [];
    blocks.push(block);
    byUid.set(uid, blocks);
  }
  return [...byUid].map(([uid, blocks]) => ({ uid, kind, blocks }));
}

/** Parses a component. Throws what ical.js throws if the text is not one. */
export async function parseBlock({ text }: Pick<Block, "text">): Promise<ICAL.Component> {
  const { Component, parse } = await loadIcal();
  return new Component(parse(text.trimEnd()) as unknown[]);
}
