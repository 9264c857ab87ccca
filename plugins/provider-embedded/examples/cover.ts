import type { Json, JsonObject } from "@pergola/sdk";
import type { Piece, Request } from "../request/read-request.ts";
import { politeWords } from "../request/word-key.ts";
import { gapValue } from "./gap-value.ts";
import { putAt } from "./leaves.ts";
import type { Gap, Pattern } from "./pattern.ts";

/** A longer sentence is never read as a whole. */
const mostPieces = 60;
const mostWays = 20;

interface Laying {
  readonly part: number;
  readonly piece: number;
  readonly arguments: Json;
}

interface Ground {
  readonly parts: Pattern["parts"];
  readonly request: Request;
}

const isOver = (pieces: readonly Piece[]): boolean => pieces.every(({ isFree }) => isFree);

function* layGap(ground: Ground, laying: Laying, gap: Gap): Iterable<Laying> {
  const { request } = ground;
  const { pieces } = request;
  for (let end = laying.piece + 1; end <= pieces.length; end++) {
    const value = gapValue(gap, pieces.slice(laying.piece, end), request);
    if (value === undefined) continue;
    const args = putAt(laying.arguments, gap.path, value);
    yield* layRest(ground, { part: laying.part + 1, piece: end, arguments: args });
  }
}

/** True for a piece that may stand before a part of a pattern without belonging to it. */
function isPassed(piece: Piece, part: string | Gap): boolean {
  if (typeof part === "string") return piece.isFree && part !== piece.key;
  if (part.kind === "text") return politeWords.has(piece.key);
  return piece.isFree || (part.kind === "date" && piece.key === "in");
}

/** All ways to lay the rest of a pattern over the rest of a request, free words passed over. */
function* layRest(ground: Ground, laying: Laying): Iterable<Laying> {
  const { parts, request } = ground;
  const part = parts[laying.part];
  const piece = request.pieces[laying.piece];
  if (part === undefined && isOver(request.pieces.slice(laying.piece))) yield laying;
  if (part === undefined || piece === undefined) return;
  const next = { ...laying, piece: laying.piece + 1 };
  if (typeof part !== "string") yield* layGap(ground, laying, part);
  else if (part === piece.key) yield* layRest(ground, { ...next, part: laying.part + 1 });
  if (isPassed(piece, part)) yield* layRest(ground, next);
}

/** All ways to lay a pattern over a request: as the example stands, then with “here” for its folder. */
function* layPattern(pattern: Pattern, request: Request): Iterable<Laying> {
  const start: Laying = { part: 0, piece: 0, arguments: pattern.arguments };
  yield* layRest({ parts: pattern.parts, request }, start);
  if (pattern.hereParts) yield* layRest({ parts: pattern.hereParts, request }, start);
}

function withReasons({ reasons, arguments: values }: Pattern, args: Json, text: string): JsonObject {
  const spoken = Object.fromEntries(reasons.map((name) => [name, text]));
  const all = { ...(args as JsonObject), ...spoken };
  return Object.fromEntries(Object.keys(values).map((name) => [name, all[name] ?? null]));
}

/**
 * The arguments that a request gives when a pattern covers it to the last word: one for each way to read it,
 * none when it does not.
 */
export function cover(pattern: Pattern, request: Request): readonly JsonObject[] {
  if (request.pieces.length > mostPieces) return [];
  const found = new Map<string, JsonObject>();
  for (const laying of layPattern(pattern, request)) {
    const args = withReasons(pattern, laying.arguments, request.text);
    found.set(JSON.stringify(args), args);
    if (found.size >= mostWays) break;
  }
  return [...found.values()];
}
