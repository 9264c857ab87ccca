export { followChanges } from "./follow-changes.ts";
export { inEitherEra, type Mode } from "./in-either-era.ts";
export { unlimited } from "./unlimited.ts";
