import { freemem, totalmem } from "node:os";
import { AppError } from "@pergola/sdk";

export interface Need {
  /** Bytes of the weights. */
  readonly weights: number;
  /** Bytes of the context of so many tokens, for all slots together. */
  readonly context: (tokens: number) => number;
}

/** Shares of the memory that stay free: for estimates are estimates. */
const spare = 0.05;
const smallest = 512;

const shown = (bytes: number): string =>
  bytes < 1e9 ? `${Math.ceil(bytes / 1e6)} MB` : `${(bytes / 1e9).toFixed(1)} GB`;

/**
 * Bytes that a program may still take. macOS does not count what it would give back, so three quarters of its
 * memory stand for it.
 */
export function availableMemory(): number {
  const asked = (process as { availableMemory?: () => number }).availableMemory?.() ?? freemem();
  return process.platform === "darwin" ? Math.max(asked, totalmem() * 0.75) : Math.min(asked, freemem());
}

/** Throws when a model would not fit; the message tells what would. */
export function checkMemory({ weights, context }: Need, tokens: number, available: number): void {
  const usable = available * (1 - spare);
  const needed = weights + context(tokens);
  if (needed <= usable) return;
  const figures = `it needs about ${shown(needed)} (${shown(weights)} for the model, ${shown(context(tokens))} for a context of ${tokens} tokens)`;
  throw new AppError({
    code: "provider_error",
    message: `There is not enough memory for this model: ${figures}, ${shown(available)} are available. ${remedy({ weights, context }, tokens, usable)}`,
  });
}

/** The largest context that fits, in steps of a half; else the largest model. */
function remedy({ weights, context }: Need, tokens: number, usable: number): string {
  for (let fewer = Math.floor(tokens / 2); fewer >= smallest; fewer = Math.floor(fewer / 2))
    if (weights + context(fewer) <= usable)
      return `A context of ${fewer} tokens would fit: set local.context_size to it.`;
  const room = Math.max(0, usable - context(smallest));
  return `A model file of at most ${shown(room)} would fit: take a smaller model or a stronger quantization, or end other programs.`;
}
