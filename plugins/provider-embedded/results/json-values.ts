import { keyOf } from "../language/concepts.ts";
import type { Question } from "./question.ts";

interface Value {
  readonly path: string;
  readonly keys: ReadonlySet<string>;
  readonly value: unknown;
}

const wordKeys = (name: string): readonly string[] =>
  name
    .replaceAll(/([a-z])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .map(keyOf);

function* valuesIn(value: unknown, path: string, depth: number): Iterable<Value> {
  if (path !== "") yield { path, keys: new Set(wordKeys(path.split(".").at(-1) ?? "")), value };
  if (typeof value !== "object" || value === null || Array.isArray(value) || depth > 3) return;
  for (const [name, inner] of Object.entries(value))
    yield* valuesIn(inner, path === "" ? name : `${path}.${name}`, depth + 1);
}

const matches = ({ keys }: Value, { topic }: Question): number =>
  [...keys].filter((key) => topic.has(key)).length / Math.max(1, keys.size);

const sizeOf = (value: unknown): number | undefined =>
  Array.isArray(value)
    ? value.length
    : typeof value === "object" && value !== null
      ? Object.keys(value).length
      : undefined;

const shown = (value: unknown): string =>
  typeof value === "string" ? value : JSON.stringify(value, undefined, 2);

const lineOf = ({ path, value }: Value): string =>
  sizeOf(value) === undefined
    ? `- ${path}: ${shown(value)}`
    : `- ${path}:\n\n\`\`\`json\n${shown(value)}\n\`\`\``;

/**
 * The values of a JSON text whose keys the question names; undefined when the text is no JSON or no key fits.
 */
export function jsonAnswer(question: Question, text: string, label: string): string | undefined {
  const root = parsed(text);
  if (typeof root !== "object" || root === null) return undefined;
  const ranked = [...valuesIn(root, "", 0)]
    .map((value) => ({ value, score: matches(value, question) }))
    .filter(({ score }) => score >= 0.5);
  const best = Math.max(0, ...ranked.map(({ score }) => score));
  const found = ranked.filter(({ score }) => score === best).slice(0, 5);
  if (found.length === 0) return undefined;
  const [first] = found;
  const size = sizeOf(first?.value.value);
  if (question.count && size !== undefined)
    return `${label} has ${size} under \`${first?.value.path ?? ""}\`.`;
  return `In ${label}:\n\n${found.map(({ value }) => lineOf(value)).join("\n")}`;
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
