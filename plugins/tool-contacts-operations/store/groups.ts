import type { Contact } from "../vcard/read-card.ts";

export interface Group {
  readonly name: string;
  readonly contacts: readonly Contact[];
}

/** Group names that differ only in case name the same group. */
export const groupKey = (name: string): string => name.trim().toLowerCase();

/** The groups that contacts are in, sorted by name. */
export function groupsOf(contacts: readonly Contact[]): readonly Group[] {
  const groups = new Map<string, { readonly name: string; readonly members: Map<string, Contact> }>();
  for (const contact of contacts) {
    for (const name of contact.groups) {
      const group = groups.get(groupKey(name)) ?? { name, members: new Map<string, Contact>() };
      group.members.set(contact.id, contact);
      groups.set(groupKey(name), group);
    }
  }
  return [...groups.values()]
    .map(({ name, members }) => ({ name, contacts: [...members.values()] }))
    .toSorted((a, b) => a.name.localeCompare(b.name));
}
