import { setTimeout } from "node:timers/promises";

/** Milliseconds of work between two chances for questions to be answered. */
export const slice = 10;

/**
 * Lets questions be answered, and other programs work, after `spent` milliseconds of work: for as long again,
 * a slice at most.
 */
export const breathe = (spent: number): Promise<void> => setTimeout(Math.min(Math.max(1, spent), slice));
