import { Ajv, type ErrorObject, type ValidateFunction } from "ajv";
import { Ajv2020 } from "ajv/dist/2020.js";
import formats, { type FormatsPlugin } from "ajv-formats";

const addFormats = formats.default as FormatsPlugin;

type Schema = Readonly<Record<string, unknown>>;

const mostFaults = 10;
const longestFault = 300;
/** Compiled checks that are kept: the same program asks for the same schema again and again. */
const mostKept = 16;

/** Patterns of other languages often hold what the stricter Unicode mode refuses. */
const regExp = Object.assign(
  (pattern: string, flags: string): RegExp => {
    try {
      return new RegExp(pattern, flags);
    } catch {
      return new RegExp(pattern);
    }
  },
  { code: "new RegExp" },
);

const options = {
  allErrors: true,
  strict: false,
  logger: false,
  inlineRefs: false,
  code: { regExp },
} as const;

const isOlder = ({ $schema }: Schema): boolean => /draft-0[3-7]/.test(String($schema));

const newEngine = (schema: Schema): Ajv | Ajv2020 =>
  isOlder(schema) ? new Ajv(options) : new Ajv2020(options);

/** A step of a JSON pointer as a step of a path: `[0]` or `.name`. */
const stepOf = (step: string): string =>
  /^\d+$/.test(step) ? `[${step}]` : `.${step.replaceAll("~1", "/").replaceAll("~0", "~")}`;

const placeOf = ({ instancePath }: ErrorObject): string =>
  instancePath.split("/").slice(1).map(stepOf).join("").replace(/^\./, "");

/** What the message of a keyword leaves out. */
function moreOf({ params }: ErrorObject): string {
  const { additionalProperty, unevaluatedProperty, allowedValues, allowedValue } = params as Schema;
  const more = additionalProperty ?? unevaluatedProperty ?? allowedValues ?? allowedValue;
  return more === undefined ? "" : `: ${JSON.stringify(more)}`;
}

function faultOf(error: ErrorObject, whole: string): string {
  const text = `${placeOf(error) || whole} ${error.message ?? "is wrong"}${moreOf(error)}`;
  return text.length > longestFault ? `${text.slice(0, longestFault)}…` : text;
}

const faultsOf = (errors: readonly ErrorObject[] | null | undefined, whole: string): readonly string[] => [
  ...new Set((errors ?? []).slice(0, 10 * mostFaults).map((error) => faultOf(error, whole))),
];

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

const kept = new Map<string, ValidateFunction>();

function keep(text: string, check: ValidateFunction): ValidateFunction {
  const oldest = kept.size >= mostKept ? kept.keys().next().value : undefined;
  if (oldest !== undefined) kept.delete(oldest);
  kept.set(text, check);
  return check;
}

/** The check of a schema, given as JSON; throws what is wrong with it. */
function checkOf(text: string): ValidateFunction {
  const found = kept.get(text);
  if (found !== undefined) return found;
  const { $schema, ...schema } = JSON.parse(text) as Schema;
  const engine = newEngine({ $schema });
  if (engine.validateSchema(schema) !== true) throw new Error(faultsOf(engine.errors, "it")[0]);
  addFormats(engine);
  return keep(text, engine.compile(schema));
}

/** What makes a schema, given as JSON, unusable; undefined where answers can be checked against it. */
export function compileFault(schema: string): string | undefined {
  try {
    checkOf(schema)({});
    return undefined;
  } catch (error) {
    return error instanceof RangeError ? "it refers to itself without an end" : messageOf(error);
  }
}

/** What is wrong with an answer: at most ten faults, none where it is JSON that follows the schema. */
export function faultsOfText(schema: string, text: string): readonly string[] {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return [`it is not JSON: ${messageOf(error)}`];
  }
  const check = checkOf(schema);
  try {
    if (check(value) === true) return [];
  } catch (error) {
    return [`it is nested too deeply to be checked: ${messageOf(error)}`];
  }
  return faultsOf(check.errors, "the answer").slice(0, mostFaults);
}
