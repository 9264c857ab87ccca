import type { ErrorObject } from "ajv/dist/2020.js";
import { closeNames, countOf, isObject } from "@pergola/sdk";

type Params = Readonly<Record<string, unknown>>;
type Message = (params: Params, error: ErrorObject) => string;

const typeNames: Readonly<Record<string, readonly string[]>> = {
  string: ["a string"],
  number: ["a number"],
  integer: ["a whole number"],
  boolean: ["true", "false"],
  array: ["an array"],
  object: ["an object"],
};

const formats: Readonly<Record<string, string>> = {
  date: "a date such as 2026-01-31",
  time: "a time such as 12:30:00Z",
  "date-time": "a date and time such as 2026-01-31T12:30:00Z",
  duration: "a duration such as P1DT12H",
  email: "an email address",
  hostname: "a host name",
  address: "an IP address such as 192.168.1.5 or ::",
  network: "an IP address or a network such as 10.0.0.0/8",
  ipv4: "an IPv4 address",
  ipv6: "an IPv6 address",
  regex: "a regular expression",
  uuid: "a UUID",
  origin: "an origin, which is scheme, host and port alone, such as http://localhost:3000",
};

const longestName = 60;
const mostNames = 12;

/** A name of somebody else's choice, not longer than a message can bear. */
const shorten = (name: string): string =>
  name.length > longestName ? `${name.slice(0, longestName)}…` : name;

function valueText(value: unknown): string {
  if (typeof value === "string" && value !== "") return value;
  return JSON.stringify(value);
}

const listText = (values: unknown): string => (values as readonly unknown[]).map(valueText).join(", ");

function enumText({ allowedValues }: Params): string {
  const isSingle = (allowedValues as readonly unknown[]).length === 1;
  return `must be ${isSingle ? "" : "one of "}${listText(allowedValues)}`;
}

/** "a", "a or b", "a, b or c". */
export function orList(texts: readonly string[]): string {
  const [last = "", ...others] = texts.toReversed();
  return others.length === 0 ? last : `${others.toReversed().join(", ")} or ${last}`;
}

function typeText({ type }: Params): string {
  const names = [type].flat().flatMap((one) => String(one).split(","));
  return `must be ${orList(names.flatMap((name) => typeNames[name] ?? name))}`;
}

interface Described {
  readonly properties?: Readonly<Record<string, { readonly hidden?: boolean }>>;
  readonly anyOf?: readonly Described[];
  readonly oneOf?: readonly Described[];
}

/** The keys that a schema describes. */
function knownKeys({ properties = {}, anyOf = [], oneOf = [] }: Described): readonly string[] {
  const own = Object.entries(properties).filter(([, { hidden }]) => hidden !== true);
  return [...own.map(([name]) => name), ...[...anyOf, ...oneOf].flatMap(knownKeys)];
}

function unknownText(key: unknown, { parentSchema = {} }: ErrorObject): string {
  const known = [...new Set(knownKeys(parentSchema as Described))];
  const [closest] = closeNames(shorten(String(key)), known, 1);
  if (closest !== undefined) return `is not known (did you mean "${closest}"?)`;
  if (known.length === 0 || known.length > mostNames) return "is not known";
  return `is not known (known: ${known.join(", ")})`;
}

/** Names a key that may have been meant as the missing one. */
function missingText(missing: unknown, { data, parentSchema = {} }: ErrorObject): string {
  const known = knownKeys(parentSchema as Described);
  if (!isObject(data) || known.length === 0) return "is missing";
  const others = Object.keys(data).filter((key) => key.length <= longestName && !known.includes(key));
  const [closest] = closeNames(String(missing), others.slice(0, 100), 1);
  if (closest === undefined) return "is missing";
  return `is missing (there is "${closest}", which is not known)`;
}

const dependentText = ({ property }: Params): string => `is missing; it goes with ${String(property)}`;

function containsText({ minContains, maxContains }: Params): string {
  const limits = [`at least ${Number(minContains)}`];
  if (maxContains !== undefined) limits.push(`at most ${Number(maxContains)}`);
  return `must have ${limits.join(" and ")} of the described items`;
}

const atLeast = (unit: string): Message => {
  return ({ limit }) =>
    limit === 1 ? "must not be empty" : `must have at least ${countOf(Number(limit), unit)}`;
};

const atMost = (unit: string): Message => {
  return ({ limit }) => `must have at most ${countOf(Number(limit), unit)}`;
};

/** What is wrong, by the keyword of JSON Schema that says so. It follows the path in a sentence. */
const messages: Readonly<Record<string, Message>> = {
  type: typeText,
  enum: enumText,
  const: ({ allowedValue }) => `must be ${valueText(allowedValue)}`,
  required: ({ missingProperty }, error) => missingText(missingProperty, error),
  additionalProperties: ({ additionalProperty }, error) => unknownText(additionalProperty, error),
  unevaluatedProperties: ({ unevaluatedProperty }, error) => unknownText(unevaluatedProperty, error),
  propertyNames: ({ propertyName }) => `has a key that is not allowed, "${shorten(String(propertyName))}"`,
  dependentRequired: dependentText,
  dependencies: dependentText,
  minProperties: atLeast("key"),
  maxProperties: atMost("key"),
  minimum: ({ limit }) => `must be at least ${String(limit)}`,
  maximum: ({ limit }) => `must be at most ${String(limit)}`,
  exclusiveMinimum: ({ limit }) => `must be more than ${String(limit)}`,
  exclusiveMaximum: ({ limit }) => `must be less than ${String(limit)}`,
  multipleOf: ({ multipleOf }) => `must be a multiple of ${String(multipleOf)}`,
  minLength: atLeast("character"),
  maxLength: atMost("character"),
  pattern: ({ pattern }) => `must match the pattern ${String(pattern)}`,
  format: ({ format }) => `must be ${formats[String(format)] ?? `of the format ${String(format)}`}`,
  minItems: atLeast("item"),
  maxItems: atMost("item"),
  items: atMost("item"),
  unevaluatedItems: atMost("item"),
  uniqueItems: ({ i, j }) => `has the same item twice, at ${String(j)} and ${String(i)}`,
  contains: containsText,
  anyOf: () => "has none of the accepted forms",
  oneOf: ({ passingSchemas }) =>
    `has ${passingSchemas === null ? "none" : "more than one"} of the accepted forms`,
  not: () => "is not allowed",
  "false schema": () => "is not allowed",
};

/** The message of a fault, in words for people who do not know JSON Schema. */
export function messageOf(error: ErrorObject): string {
  return messages[error.keyword]?.(error.params as Params, error) ?? "is not valid";
}
