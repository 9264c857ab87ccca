import { AppError, isObject, type Json, type JsonObject } from "@pergola/sdk";
import type { ScriptStep, ScriptTurn } from "@pergola/sdk/testing";

const isNumber = (value: unknown): boolean => typeof value === "number";
const isPieces = (value: unknown): boolean => [value].flat().every((piece) => typeof piece === "string");

const isCall = (value: unknown): boolean =>
  isObject(value) &&
  typeof value["name"] === "string" &&
  (isPieces(value["arguments"]) || isObject(value["arguments"]));

/** What a step of each key must hold. */
const forms: Readonly<Record<string, (value: unknown) => boolean>> = {
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

const keys = Object.keys(forms);

function isStep(value: Json): value is Json & JsonObject {
  if (!isObject(value)) return false;
  const key = keys.find((name) => name in value) ?? "";
  return forms[key]?.(value[key]) === true;
}

const invalid = (message: string): AppError =>
  new AppError({ code: "invalid_value", message, param: "script" });

function readStep(value: Json, place: string): ScriptStep {
  if (isStep(value)) return value as unknown as ScriptStep;
  throw invalid(`${place} of the script is no step: it needs one of ${keys.join(", ")}, in its form.`);
}

/**
 * A script from settings: a list of turns, each a step or a list of steps. Throws AppError `invalid_value`,
 * which names the place.
 */
export function readScript(value: Json): readonly ScriptTurn[] {
  if (!Array.isArray(value)) throw invalid("The script is no list of turns.");
  return (value as readonly Json[]).map((turn, index) => {
    const place = `Turn ${index + 1}`;
    if (!Array.isArray(turn)) return readStep(turn, place);
    return (turn as readonly Json[]).map((step, at) => readStep(step, `${place}, step ${at + 1},`));
  });
}
