import { createHash } from "node:crypto";
import type ICAL from "ical.js";
import { blocksOf, type Block } from "./blocks.ts";
import { loadIcal } from "./library.ts";

export type Kind = "VEVENT" | "VTODO";

/** All components of one UID: a series with its changed occurrences, or a single event or reminder. */
export interface Item {
  readonly uid: string;
  readonly kind: Kind;
  readonly blocks: readonly Block[];
}

const unfolded = (text: string): string => text.replace(/\r?\n[ \t]/g, "");

/**
 * The text without the components inside, which come after its own properties (RFC 5545, 3.6.1) or, in some
 * files, before them.
 */
function ownText(text: string): string {
  const inner = text.slice(1).search(/^BEGIN:/im) + 1;
  const rest = text.split(/^END:VALARM/im).at(-1) ?? "";
  return inner === 0 ? text : text.slice(0, inner) + rest;
}

/** The UID of a component; one without gets an id made of its text, which lasts until it is changed. */
export function uidOf({ text }: Block): string {
  const uid = /^UID(?:;[^:\r\n]*)?:(.*?)[ \t]*\r?$/im.exec(unfolded(ownText(text)))?.[1];
  return uid || `without-uid-${createHash("sha256").update(text.trimEnd()).digest("hex").slice(0, 16)}`;
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

/** A component's properties. Throws what ical.js throws for a text that is none. */
export async function parseBlock({ text }: Pick<Block, "text">): Promise<ICAL.Component> {
  const { Component, parse } = await loadIcal();
  return new Component(parse(text.trimEnd()) as unknown[]);
}
