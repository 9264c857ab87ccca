import { isObject } from "../util/is-object.ts";
import { ToolError } from "./errors.ts";
import type { JsonObject } from "../util/json.ts";

/**
 * The arguments of a tool call: a JSON object, or a string that holds one. Throws ToolError `invalid_json`.
 */
export function parseArguments(input: unknown): JsonObject {
  let value: unknown = input ?? {};
  try {
    if (typeof value === "string") value = JSON.parse(value.trim() || "{}");
  } catch (cause) {
    throw new ToolError("invalid_json", "The arguments are not JSON.", {
      hint: "Send one complete JSON object.",
      cause,
    });
  }
  if (isObject(value)) return value as JsonObject;
  throw new ToolError("invalid_json", "The arguments are not a JSON object.", {
    hint: "Send one JSON object with the operation and its parameters.",
  });
}
