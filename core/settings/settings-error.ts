import { AppError } from "@pergola/sdk";

/** One error that lists every fault found in the settings. */
export const settingsError = (faults: readonly string[], cause?: unknown): AppError =>
  new AppError({
    code: "invalid_value",
    message: `The settings cannot be used:\n${faults.map((fault) => `- ${fault}`).join("\n")}`,
    details: { faults },
    cause,
  });
