import { KeyedQueue } from "@pergola/sdk";

const turns = new KeyedQueue();

/** Makes changes one at a time, so that none builds on what another is about to replace. */
export const takeTurn = <T>(change: () => Promise<T>): Promise<T> => turns.run("notes", change);
