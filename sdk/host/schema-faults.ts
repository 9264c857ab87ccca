import { didYouMean } from "../util/did-you-mean.ts";
import { isObject } from "../util/is-object.ts";
import { messageOf } from "../util/message-of.ts";

const types = new Set(["string", "number", "integer", "boolean", "array", "object", "null"]);

/** Keywords of JSON Schema (2020-12) by what they hold. */
const inner = {
  one: ["items", "contains", "not", "if", "then", "else", "propertyNames", "additionalProperties"],
  many: ["anyOf", "oneOf", "allOf", "prefixItems"],
  named: ["properties", "patternProperties", "dependentSchemas", "$defs"],
} as const;
const plain = [
  ..."type description default enum const format title examples required pattern".split(" "),
  ..."minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength".split(" "),
  ..."minItems maxItems uniqueItems minProperties maxProperties dependentRequired".split(" "),
  ..."unevaluatedProperties unevaluatedItems minContains maxContains".split(" "),
  ..."deprecated readOnly writeOnly $schema $id $ref $comment aliases hidden".split(" "),
];
/** Pergola's own marks of a setting; they say yes, or nothing. */
const marks = ["x-secret", "x-protected", "x-restart", "x-early", "x-installed"];
const notes = ["x-names", "x-default-on"];
const keywords: readonly string[] = [...Object.values(inner).flat(), ...plain, ...marks, ...notes];

type Schema = Readonly<Record<string, unknown>>;

/** The schemas inside one, with the steps to them. */
function innerSchemas(schema: Schema): readonly (readonly [step: string, schema: unknown])[] {
  const one = inner.one.map((word) => [word, schema[word]] as const);
  const many = inner.many.flatMap((word) => {
    const list = schema[word];
    return Array.isArray(list)
      ? list.map((item: unknown, index) => [`${word}[${index}]`, item] as const)
      : [];
  });
  const named = inner.named.flatMap((word) => {
    const record = schema[word];
    return isObject(record) ? Object.entries(record).map(([name, item]) => [name, item] as const) : [];
  });
  return [...one, ...many, ...named].filter(([, found]) => found !== undefined);
}

function typeFaults(place: string, { type }: Schema): readonly string[] {
  const named = [type].flat().filter((one) => one !== undefined);
  return named
    .map((one) => (typeof one === "string" ? one : JSON.stringify(one)))
    .filter((one) => !types.has(one))
    .map((one) => `${place}: there is no type "${one}".${didYouMean(one, types)}`);
}

/** An expression that cannot be read; `u` is how arguments are checked. */
function patternFaults(place: string, { pattern }: Schema): readonly string[] {
  if (typeof pattern !== "string") return [];
  try {
    new RegExp(pattern, "u");
    return [];
  } catch (error) {
    return [`${place}: its pattern is no regular expression: ${messageOf(error)}.`];
  }
}

function keywordFaults(place: string, schema: Schema): readonly string[] {
  const unknown = Object.keys(schema).filter((word) => !keywords.includes(word));
  const unclear = marks.filter((word) => word in schema && typeof schema[word] !== "boolean");
  const hint = (word: string): string => {
    if (marks.includes(`x-${word}`)) return ` Did you mean "x-${word}"?`;
    return didYouMean(word, keywords);
  };
  return [
    ...unknown.map((word) => `${place}: nobody reads "${word}".${hint(word)}`),
    ...unclear.map((word) => `${place}: "${word}" must be true or false.`),
  ];
}

/**
 * What is wrong with a schema in a plugin, with the place in front of each fault: types that do not exist,
 * patterns that cannot be read and, in a setting, words that nobody reads.
 */
export function schemaFaults(
  place: string,
  schema: unknown,
  { isSetting = false }: { readonly isSetting?: boolean } = {},
): readonly string[] {
  if (typeof schema === "boolean") return [];
  if (!isObject(schema)) return [`${place} must be a JSON schema.`];
  return [
    ...typeFaults(place, schema),
    ...patternFaults(place, schema),
    ...(isSetting ? keywordFaults(place, schema) : []),
    ...innerSchemas(schema).flatMap(([step, found]) =>
      schemaFaults(`${place}.${step}`, found, { isSetting }),
    ),
  ];
}

/** Whether a schema marks something as secret, however deep. */
export function holdsSecret(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  if (schema["x-secret"] === true) return true;
  return innerSchemas(schema).some(([, found]) => holdsSecret(found));
}
