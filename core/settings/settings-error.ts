import type { AppError } from "@pergola/sdk";
import { fault } from "../fault.ts";

/** One error that lists every fault found in the settings. */
export function settingsError(faults: readonly string[], cause?: unknown): AppError {
  const lines = faults.map((each) => `- ${each}`);
  const message = ["The settings cannot be used:", ...lines].join("\n");
  return fault("invalid_value", message, { details: { faults }, cause });
}
