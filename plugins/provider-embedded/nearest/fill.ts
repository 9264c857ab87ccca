import type { Json, JsonObject, JsonSchema } from "@pergola/sdk";
import { gapValue } from "../examples/gap-value.ts";
import { putAt } from "../examples/leaves.ts";
import type { Gap, Pattern } from "../examples/pattern.ts";
import type { Route } from "../examples/routes.ts";
import type { Piece, Request } from "../request/read-request.ts";
import { numberOf } from "../request/value-kinds.ts";
import { kindOfPiece } from "./likeness.ts";

const isWordOf = (part: string | Gap | undefined): part is string => typeof part === "string";

/** The words of a pattern that a request has, as a share of all. */
function shareOf({ parts }: Pattern, { pieces }: Request): number {
  const words = parts.filter(isWordOf);
  const keys = new Set(pieces.map(({ key }) => key));
  return words.filter((word) => keys.has(word)).length / (words.length || 1);
}

/** The longest value that stands between the words around a gap. */
function valueBetween(gap: Gap, index: number, { parts }: Pattern, request: Request): Json | undefined {
  const { pieces } = request;
  const before = parts.slice(0, index).findLast(isWordOf);
  const after = parts.slice(index + 1).find(isWordOf);
  const start = pieces.findIndex(({ key }) => key === before) + 1;
  if (before !== undefined && start === 0) return undefined;
  const rest = pieces.slice(start + 1).findIndex(({ key }) => key === after);
  const most = rest < 0 ? pieces.length : start + 1 + rest;
  for (let from = start; from < most; from++)
    for (let end = most; end > from; end--) {
      const value = gapValue(gap, pieces.slice(from, end), request);
      if (value !== undefined) return value;
    }
  return undefined;
}

const isLoose = ({ kind }: Gap): boolean => ["text", "word", "proper", "sum", "unit"].includes(kind);

/** What a gap takes from a request that follows its pattern only in part. */
function looseValue(gap: Gap, index: number, pattern: Pattern, request: Request): Json | undefined {
  if (gap.kind === "date") return request.dates[0]?.value;
  const quoted = request.pieces.find((piece) => piece.quoted !== undefined)?.quoted;
  if (isLoose(gap)) return quoted ?? valueBetween(gap, index, pattern, request);
  return request.pieces
    .filter((piece) => gap.kind !== "path" || kindOfPiece(piece) === "path")
    .map((piece) => gapValue({ ...gap, isWord: false }, [piece], request))
    .find((value) => value !== undefined);
}

/** Constants of an example hold only for a sentence that has all its words. */
function startOf(pattern: Pattern, request: Request): JsonObject {
  if (shareOf(pattern, request) === 1) return pattern.arguments;
  return {};
}

function fillPattern(pattern: Pattern, request: Request): JsonObject {
  const start = startOf(pattern, request);
  const whole = start === pattern.arguments;
  let args: Json = start;
  for (const [index, part] of pattern.parts.entries()) {
    if (isWordOf(part) || (part.path.length > 1 && !whole)) continue;
    const value = looseValue(part, index, pattern, request);
    const [name = ""] = part.path;
    if (value !== undefined) args = putAt(args, part.path, value);
    else if (whole)
      args = Object.fromEntries(Object.entries(args as JsonObject).filter(([each]) => each !== name));
  }
  return args as JsonObject;
}

/** A value of the right kind for a parameter that no pattern fills. */
function valueByKind(schema: JsonSchema, pieces: readonly Piece[]): Json | undefined {
  const found = (kind: string): string | undefined => {
    const piece = pieces.find((each) => kindOfPiece(each) === kind);
    return piece?.quoted ?? piece?.text;
  };
  if (schema.format === "uri") return found("url");
  if (schema.format?.startsWith("path") === true) return found("path");
  if (schema.type === "integer" || schema.type === "number") {
    const number = found("number");
    return number && numberOf(number);
  }
  if (schema.type !== "string" || schema.enum !== undefined) return undefined;
  return found("quoted");
}

/** The arguments that a request seems to hold for a route. The person looks at them first. */
export function fillArguments({ patterns, required, parameters }: Route, request: Request): JsonObject {
  const [best] = patterns.toSorted((a, b) => shareOf(b, request) - shareOf(a, request));
  const filled = (best && fillPattern(best, request)) ?? {};
  const more = required
    .filter((name) => !(name in filled))
    .map((name) => [name, valueByKind(parameters[name] ?? {}, request.pieces)] as const);
  return { ...filled, ...Object.fromEntries(more.filter(([, value]) => value !== undefined)) } as JsonObject;
}
