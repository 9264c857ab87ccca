import type { UsageKind } from "../languages/language.ts";

/** A place where a symbol is used. */
export interface Usage {
  /** Where the name begins, in UTF-16 units from the beginning of the text. */
  readonly at: number;
  readonly kind: UsageKind;
}
