import { defined, type ModelDetails } from "@pergola/sdk";
import { tableDate, type ModelRow } from "./model-data.ts";

/** USD per 1,000 tokens. */
export interface Price {
  readonly prompt: number;
  readonly completion: number;
  readonly cached?: number;
}

interface Known {
  /** Why the kind has no prices. */
  readonly priceNote: string | undefined;
  readonly isLocal: boolean;
  readonly row: ModelRow | undefined;
}

/**
 * What the user says, else the shipped tables, which know hosted kinds only; else nothing is paid for what is
 * on this machine. Where nobody knows, the reason, if there is one.
 */
export function pricesOf(
  own: Price | undefined,
  { priceNote, isLocal, row }: Known,
): Pick<ModelDetails, "prices" | "priceNote"> {
  if (own !== undefined) return { prices: { ...own, note: "prices of models.prices" } };
  if (priceNote !== undefined) return { priceNote };
  if (row !== undefined) {
    const { prompt, completion, cached } = row;
    const note = `list prices as of ${tableDate}`;
    return { prices: defined({ prompt, completion, cached, note }) };
  }
  if (isLocal) return { prices: { prompt: 0, completion: 0, note: "local model" } };
  return {};
}
