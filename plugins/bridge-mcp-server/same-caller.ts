import type { Caller } from "@pergola/sdk";

/** Whether one may go on with what the other has begun. The owner has more than one address. */
export const sameCaller = (a: Caller, b: Caller): boolean =>
  a.kind === b.kind && a.remote === b.remote && (a.kind === "owner" || a.id === b.id);
