import type { Collection, CollectionOptions, ToolContext } from "@pergola/sdk";

/** A person who was here, in one conversation or topic. */
export interface Guest {
  readonly id: string;
  readonly scope: string;
  readonly name: string;
  readonly visits: number;
}

export const guestIndexes: CollectionOptions = { indexes: ["scope"] };

export const guestsOf = (context: ToolContext): Collection<Guest> => context.collection<Guest>("guests");
