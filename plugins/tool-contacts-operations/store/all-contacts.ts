import { setImmediate } from "node:timers/promises";
import type { StoredText } from "@pergola/kit-dav";
import { ToolError, type ToolContext } from "@pergola/sdk";
import { blocksOf } from "../vcard/blocks.ts";
import { idOf, readCard, type Contact } from "../vcard/read-card.ts";
import type { ContactStore } from "./contact-store.ts";
import { openStore } from "./open-store.ts";

/** The names of the group cards that list each member, by the member's UID. */
function groupsByMember(cards: readonly Contact[]): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, readonly string[]>();
  for (const { name, members = [] } of cards)
    for (const member of members) groups.set(member, [...(groups.get(member) ?? []), name]);
  return groups;
}

async function readCards(context: ToolContext) {
  const texts = await (await openStore(context)).texts();
  const blocks = texts.flatMap(({ text }) => blocksOf(text));
  const cards: Contact[] = [];
  for (const [index, { text }] of blocks.entries()) {
    if (index % 100 === 99) await setImmediate();
    context.signal.throwIfAborted();
    const card = await readCard(text).catch(() => undefined);
    if (card !== undefined) cards.push(card);
  }
  return { cards, unreadable: blocks.length - cards.length };
}

/** All people and organizations, sorted by name, each with its groups; and how many cards are unreadable. */
export async function allContacts(context: ToolContext) {
  const { cards, unreadable } = await readCards(context);
  const groups = groupsByMember(cards);
  const contacts = cards
    .filter(({ members }) => members === undefined)
    .map((contact) => {
      const more = groups.get(contact.id.replace(/^urn:uuid:/i, "")) ?? [];
      return { ...contact, groups: [...new Set([...contact.groups, ...more])] };
    });
  return { contacts: contacts.toSorted((a, b) => a.name.localeCompare(b.name)), unreadable };
}

export const noContact = (id: string): ToolError =>
  new ToolError("not_found", `No contact has the ID "${id}".`, {
    hint: "Copy the ID exactly from the results of search.",
  });

/** The text that holds the card with an ID, if any. */
export const textWith = async (store: ContactStore, id: string): Promise<StoredText | undefined> =>
  (await store.texts()).find(({ text }) => blocksOf(text).some((block) => idOf(block.text) === id));
