import type { JsonSchema, OperationExample, Properties } from "@pergola/sdk";

export type SlotKind =
  | "path"
  | "url"
  | "glob"
  | "id"
  | "symbol"
  | "number"
  | "boolean"
  | "choice"
  | "date"
  | "text"
  | "list"
  | "records"
  | "other";

/** What a parameter is for, as far as its name tells. */
export type SlotRole = "source" | "target" | "scope" | "content" | "query" | "reason" | "free";

/** A parameter of an operation, as the guide fills it. */
export interface Slot {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
  readonly kind: SlotKind;
  readonly role: SlotRole;
  /** Lists: the kind of their elements. Records: the slots of each. */
  readonly items: readonly Slot[];
}

const kindByName: readonly (readonly [RegExp, SlotKind])[] = [
  [/glob/i, "glob"],
  [/(?:path|file|filename|dir|directory|folder)s?$/i, "path"],
  [/(?:url|uri|link)s?$/i, "url"],
  [/(?:^id|_id|Id|ID)s?$/, "id"],
  [/symbol|identifier/i, "symbol"],
  [/(?:^|_)(?:date|due|when|since|until|deadline|time)(?:$|_)|date$|Date$/, "date"],
];

const kindByFormat: Readonly<Record<string, SlotKind>> = {
  path: "path",
  uri: "url",
  date: "date",
  "date-time": "date",
};
const kindByType: Readonly<Record<string, SlotKind>> = {
  integer: "number",
  number: "number",
  boolean: "boolean",
  array: "list",
  string: "text",
};

const roles: readonly (readonly [RegExp, SlotRole])[] = [
  [/reason|why|explanation|justification|because/i, "reason"],
  [/^old|^from|source|original|^search(?:_|$)|^find/i, "source"],
  [/content|body|newText|^text$|message|data$/i, "content"],
  [/^new|^to$|dest|target|replacement/i, "target"],
  [/query|keyword|term|topic|pattern|expression|question|symbol/i, "query"],
  [/dir|folder|scope|include/i, "scope"],
];

const hinted = (hints: string, table: readonly (readonly [RegExp, SlotKind])[]): SlotKind | undefined =>
  table.find(([pattern]) => pattern.test(hints))?.[1];

type Examples = readonly OperationExample[];

/** A text is a file pattern when its description says so and the examples, where there are any, show one. */
function isGlob(name: string, { description = "" }: JsonSchema, examples: Examples): boolean {
  const values = examples
    .map(({ arguments: args }) => args[name])
    .filter((value) => typeof value === "string");
  const shown = values.some((value) => value.includes("*")) && !values.some((value) => value.includes(" "));
  return /\bglob\b/i.test(description) && (values.length === 0 || shown);
}

function kindOf(name: string, schema: JsonSchema, examples: Examples): SlotKind {
  if (schema.enum !== undefined) return "choice";
  if (schema.type === "array") return schema.items?.type === "object" ? "records" : "list";
  const byType = typeof schema.type === "string" ? kindByType[schema.type] : undefined;
  if (byType !== "text") return byType ?? "other";
  return (
    kindByFormat[schema.format ?? ""] ??
    (isGlob(name, schema, examples) ? "glob" : hinted(name, kindByName)) ??
    "text"
  );
}

function slotOf(name: string, schema: JsonSchema, required: boolean, examples: Examples = []): Slot {
  const kind = kindOf(name, schema, examples);
  const role = roles.find(([pattern]) => pattern.test(name))?.[1] ?? "free";
  return {
    name,
    schema,
    required,
    kind,
    role: kind === "path" && role === "query" ? "free" : role,
    items: itemsOf(name, kind, schema),
  };
}

function itemsOf(name: string, kind: SlotKind, { items = {} }: JsonSchema): readonly Slot[] {
  if (kind === "list") return [slotOf(name, items, false)];
  return kind === "records" ? slotsOf(items.properties ?? {}, items.required ?? []) : [];
}

/** The slots of a parameter list, in its order. */
export const slotsOf = (
  parameters: Properties,
  required: readonly string[],
  examples: Examples = [],
): readonly Slot[] =>
  Object.entries(parameters).map(([name, schema]) => slotOf(name, schema, required.includes(name), examples));
