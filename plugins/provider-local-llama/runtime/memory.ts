import { freemem, totalmem } from "node:os";
import { AppError } from "@pergola/sdk";

export interface Need {
  /** Bytes of the weights. */
  readonly weights: number;
  /** Bytes of the context of so many tokens, for all slots together. */
  readonly context: (tokens: number) => number;
}

/** The share of the memory that stays free, since the needs are estimated. */
const spare = 0.05;
const smallest = 512;

function sizeText(bytes: number): string {
  if (bytes < 1e9) return `${Math.ceil(bytes / 1e6)} MB`;
  return `${(bytes / 1e9).toFixed(1)} GB`;
}

/**
 * Bytes that a program may still take. macOS does not count what it would give back, so three quarters of its
 * memory stand for it.
 */
export function availableMemory(): number {
  const reported = (process as { availableMemory?: () => number }).availableMemory?.() ?? freemem();
  if (process.platform === "darwin") return Math.max(reported, totalmem() * 0.75);
  return Math.min(reported, freemem());
}

/** Throws when a model would not fit; the message says what would. */
export function checkMemory({ weights, context }: Need, tokens: number, available: number): void {
  const usable = available * (1 - spare);
  const needed = weights + context(tokens);
  if (needed <= usable) return;
  const message = [
    `There is not enough memory for this model: it needs about ${sizeText(needed)}`,
    `(${sizeText(weights)} for the model, ${sizeText(context(tokens))} for a context of ${tokens} tokens),`,
    `${sizeText(available)} are available.`,
    remedy({ weights, context }, tokens, usable),
  ];
  throw new AppError({ code: "provider_error", message: message.join(" ") });
}

/** The largest context that fits, in steps of a half; else the largest model. */
function remedy({ weights, context }: Need, tokens: number, usable: number): string {
  for (let fewer = Math.floor(tokens / 2); fewer >= smallest; fewer = Math.floor(fewer / 2))
    if (weights + context(fewer) <= usable)
      return `A context of ${fewer} tokens would fit: set local.context_size to it.`;
  const room = Math.max(0, usable - context(smallest));
  return (
    `A model file of at most ${sizeText(room)} would fit: ` +
    "take a smaller model or a stronger quantization, or end other programs."
  );
}
