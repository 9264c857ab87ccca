import { setImmediate } from "node:timers/promises";
import { ToolError, type ToolContext } from "@pergola/sdk";
import { blocksOf } from "../vcard/blocks.ts";
import { idOf, readCard, type Contact } from "../vcard/read-card.ts";
import type { CardText, ContactStore } from "./contact-store.ts";

export interface Contacts {
  /** By name. People and organizations. */
  readonly contacts: readonly Contact[];
  readonly unreadable: number;
}

/** The groups that cards of groups put their members into, by UID. */
function groupsByMember(cards: readonly Contact[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, readonly string[]>();
  for (const { name, members = [] } of cards)
    for (const member of members) groups.set(member, [...(groups.get(member) ?? []), name]);
  return groups;
}

/** All contacts of a store, with the groups they are in. */
export async function allContacts(
  { signal }: Pick<ToolContext, "signal">,
  store: ContactStore,
): Promise<Contacts> {
  const cards: Contact[] = [];
  let [seen, unreadable] = [0, 0];
  for (const block of (await store.texts()).flatMap(({ text }) => blocksOf(text))) {
    seen += 1;
    if (seen % 100 === 0) await setImmediate();
    signal.throwIfAborted();
    const card = await readCard(block.text).catch(() => undefined);
    if (card === undefined) unreadable += 1;
    else cards.push(card);
  }
  const more = groupsByMember(cards);
  const people = cards.filter(({ members }) => members === undefined);
  const contacts = people.map((one) => ({
    ...one,
    groups: [...new Set([...one.groups, ...(more.get(one.id.replace(/^urn:uuid:/i, "")) ?? [])])],
  }));
  return { contacts: contacts.toSorted((a, b) => a.name.localeCompare(b.name)), unreadable };
}

export const noContact = (id: string): ToolError =>
  new ToolError("not_found", `No contact has the ID "${id}".`, {
    hint: "Take the ID from search, exactly as it stands there.",
  });

/** The text that holds the card with an id; undefined when none does. */
export const textWith = async (store: ContactStore, id: string): Promise<CardText | undefined> =>
  (await store.texts()).find(({ text }) => blocksOf(text).some((block) => idOf(block.text) === id));
