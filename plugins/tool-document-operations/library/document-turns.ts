import { KeyedQueue } from "@pergola/sdk";

/** Changes of one document, by its id: an import and a deletion at once must not leave half of each. */
export const documentTurns = new KeyedQueue();
