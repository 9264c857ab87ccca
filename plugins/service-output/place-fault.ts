import { isObject, type Json, type JsonObject } from "@pergola/sdk";

/** Characters of a schema as JSON. */
const largest = 131_072;
/** Levels of objects and lists. */
const deepest = 64;

/** Keywords whose value is no schema and holds none, however it looks. */
const plain = new Set(["const", "enum", "default", "examples", "example", "required", "type"]);

/** Keywords that hold schemas by names that are the caller's own. */
const named = new Set(["properties", "patternProperties", "$defs", "definitions", "dependentSchemas"]);

function isPattern(text: string): boolean {
  try {
    new RegExp(text);
    return true;
  } catch {
    return false;
  }
}

const isInside = (value: Json): boolean => typeof value === "string" && value.startsWith("#");
const outside = "must begin with #: nothing is fetched";

const rules: Readonly<Record<string, (value: Json) => string | false>> = {
  $ref: (value) => !isInside(value) && outside,
  $dynamicRef: (value) => !isInside(value) && outside,
  $async: () => "is not taken",
  pattern: (value) => !(typeof value === "string" && isPattern(value)) && "is no regular expression",
};

interface Spot {
  readonly value: Json;
  readonly path: string;
  readonly depth: number;
  /** The keys are names, not keywords. */
  readonly isNamed: boolean;
}

const faultOfKeys = (spot: Spot, keys: readonly string[]): string | undefined =>
  keys.map((key) => faultOfKey(spot, key)).find((fault) => fault !== undefined);

function faultOfKey({ value, path, isNamed }: Spot, key: string): string | undefined {
  const at = `${path}.${key}`.slice(1);
  if (!isNamed) {
    const fault = rules[key]?.((value as JsonObject)[key] as Json) ?? false;
    return fault === false ? undefined : `${at} ${fault}`;
  }
  if (path.endsWith(".patternProperties") && !isPattern(key)) return `${at} is no regular expression`;
  return undefined;
}

/** What stands inside, where schemas may be. */
function inside({ value, path, depth, isNamed }: Spot): readonly Spot[] {
  if (typeof value !== "object" || value === null) return [];
  const keys = Object.keys(value).filter((key) => isNamed || !plain.has(key));
  return keys.map((key) => ({
    value: (value as JsonObject)[key] as Json,
    path: `${path}.${key}`,
    depth: depth + 1,
    isNamed: !isNamed && named.has(key),
  }));
}

/**
 * Where and why a schema cannot be used: it is too large or too deep, refers to something outside of itself,
 * or has a regular expression that is none. Undefined where nothing of that is the case.
 */
export function placeFault(schema: JsonObject): string | undefined {
  const { length } = JSON.stringify(schema);
  if (length > largest) return `it has ${length} characters, of at most ${largest}`;
  const spots: Spot[] = [{ value: schema, path: "", depth: 1, isNamed: false }];
  for (let spot = spots.pop(); spot !== undefined; spot = spots.pop()) {
    if (spot.depth > deepest) return `${spot.path.slice(1, 200)}… is more than ${deepest} levels deep`;
    const fault = isObject(spot.value) ? faultOfKeys(spot, Object.keys(spot.value)) : undefined;
    if (fault !== undefined) return fault;
    spots.push(...inside(spot));
  }
  return undefined;
}
