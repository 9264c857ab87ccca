import { AppError, type Json, type JsonObject } from "@pergola/sdk";
import type { ScriptStep, ScriptTurn } from "@pergola/sdk/testing";

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isNumber = (value: Json | undefined): boolean => typeof value === "number";
const isPieces = (value: Json | undefined): boolean =>
  typeof value === "string" || (Array.isArray(value) && value.every((piece) => typeof piece === "string"));

const isCall = (value: Json): boolean =>
  isObject(value) &&
  typeof value["name"] === "string" &&
  (isPieces(value["arguments"]) || isObject(value["arguments"]));

/** What a step of each key must hold. */
const forms: Readonly<Record<string, (value: Json | undefined) => boolean>> = {
  type: (value) =>
    ["text", "reasoning", "tool_call", "usage", "warning", "marker", "end"].includes(value as string),
  text: isPieces,
  reasoning: isPieces,
  toolCalls: (value) => Array.isArray(value) && value.every(isCall),
  usage: (value) => isObject(value) && isNumber(value["promptTokens"]) && isNumber(value["completionTokens"]),
  error: (value) => isObject(value) && isNumber(value["status"]),
  delayMs: isNumber,
  hang: (value) => value === true,
};

function readStep(value: Json, place: string): ScriptStep {
  const key = isObject(value) ? Object.keys(forms).find((name) => name in value) : undefined;
  if (isObject(value) && key !== undefined && forms[key]?.(value[key]) === true)
    return value as unknown as ScriptStep;
  const message = `${place} of the script is no step: it needs one of ${Object.keys(forms).join(", ")}, in its form.`;
  throw new AppError({ code: "invalid_value", message, param: "script" });
}

/**
 * A script from settings: a list of turns, each a step or a list of steps. Throws AppError `invalid_value`,
 * which names the place.
 */
export function readScript(value: Json): readonly ScriptTurn[] {
  if (!Array.isArray(value))
    throw new AppError({
      code: "invalid_value",
      message: "The script is no list of turns.",
      param: "script",
    });
  return (value as readonly Json[]).map((turn, index) => {
    const place = `Turn ${index + 1}`;
    if (!Array.isArray(turn)) return readStep(turn, place);
    return (turn as readonly Json[]).map((step, at) => readStep(step, `${place}, step ${at + 1},`));
  });
}
