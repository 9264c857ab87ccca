import { objectSchema } from "@pergola/kit-provider";
import type { AppError } from "@pergola/sdk";

/** A failure as the format tells it. */
export const wireFailure = ({ message }: Pick<AppError, "message">) => ({ error: message });

/** What all routes of the group have in common: how they fail. */
export const ollamaFailure = {
  failure: wireFailure,
  failureSchema: objectSchema({ error: { type: "string" } }, [], { title: "OllamaError" }),
};
