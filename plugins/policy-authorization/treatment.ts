import type { Effect } from "@pergola/sdk";

/**
 * Where an effect lands: by path in or outside the working directory, in the service's own store, or in
 * another system.
 */
export type Where = "inside" | "outside" | "own" | "external";

type Treatment = "allow" | "ask";

const everywhere = (treatment: Treatment): Readonly<Record<Where, Treatment>> => ({
  inside: treatment,
  outside: treatment,
  own: treatment,
  external: treatment,
});

/** What happens to a part of a call where no preference says otherwise. */
export const treatments: Readonly<Record<Effect, Readonly<Record<Where, Treatment>>>> = {
  none: everywhere("allow"),
  read: everywhere("allow"),
  write: { inside: "allow", own: "allow", outside: "ask", external: "ask" },
  destructive: everywhere("ask"),
  execute: everywhere("ask"),
};

/** What the person is told that a call does … */
export const actions: Readonly<Record<Effect, string>> = {
  none: "touches nothing",
  read: "reads",
  write: "writes",
  destructive: "removes or discards",
  execute: "runs a program",
};

/** … and where. */
export const places: Readonly<Record<Where, string>> = {
  inside: "in the working directory",
  outside: "outside the working directory",
  own: "in the service's own store",
  external: "in another system or the person's own data",
};
