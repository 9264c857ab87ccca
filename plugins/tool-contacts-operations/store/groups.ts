import type { Contact } from "../vcard/read-card.ts";

export interface Group {
  readonly name: string;
  readonly contacts: readonly Contact[];
}

/** Groups are the same in any case. */
export const groupKey = (name: string): string => name.trim().toLowerCase();

/** The groups that contacts are in, by name. */
export function groupsOf(contacts: readonly Contact[]): readonly Group[] {
  const groups = new Map<string, Group>();
  for (const contact of contacts) {
    for (const name of contact.groups) {
      const { name: first, contacts: members } = groups.get(groupKey(name)) ?? { name, contacts: [] };
      groups.set(groupKey(name), {
        name: first,
        contacts: [...members.filter(({ id }) => id !== contact.id), contact],
      });
    }
  }
  return [...groups.values()].toSorted((a, b) => a.name.localeCompare(b.name));
}
