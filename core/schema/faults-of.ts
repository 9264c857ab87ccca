import type { ErrorObject } from "ajv/dist/2020.js";
import type { Fault } from "@pergola/sdk/host";
import { messageOf, orList } from "./keyword-messages.ts";

const longestKey = 200;

/** More are not looked at: a list of a million wrong items has a million errors. */
const mostErrors = 1000;

type Finding = Fault & { readonly error: ErrorObject };

/** A step of a JSON pointer as a step of a path: `[0]` or `.name`. */
function stepOf(step: string): string {
  if (/^\d+$/.test(step)) return `[${step}]`;
  return `.${step.replaceAll("~1", "/").replaceAll("~0", "~")}`;
}

function findingOf(error: ErrorObject): Finding {
  const { instancePath, keyword, params } = error;
  const { missingProperty, additionalProperty, unevaluatedProperty } = params as Readonly<
    Record<string, string | undefined>
  >;
  const steps = instancePath.split("/").slice(1).map(stepOf);
  const property = missingProperty ?? additionalProperty ?? unevaluatedProperty;
  if (property !== undefined) steps.push(`.${property.slice(0, longestKey)}`);
  const path = steps.join("").replace(/^\./, "");
  return { path, keyword, message: messageOf(error), error };
}

const isOfAlternative = ({ error }: Finding, { error: whole }: Finding): boolean =>
  error.schemaPath.startsWith(`${whole.schemaPath}/`) &&
  `${error.instancePath}/`.startsWith(`${whole.instancePath}/`);

/** The findings of each alternative, in the order of the schema. */
function groupsOf({ error: whole }: Finding, findings: readonly Finding[]): readonly (readonly Finding[])[] {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const [index = ""] = finding.error.schemaPath.slice(whole.schemaPath.length + 1).split("/", 1);
    groups.set(index, [...(groups.get(index) ?? []), finding]);
  }
  return [...groups.values()];
}

const isMark = ({ keyword }: Finding): boolean => /^(const|enum)$/.test(keyword);
const isValueFault = (finding: Finding): boolean => isMark(finding) || finding.keyword === "type";

/** What several alternatives ask of the same value, in one sentence. */
function join(whole: Finding, findings: readonly Finding[]): Finding {
  const [first = whole] = findings;
  const isAlike = findings.every(({ path, message }) => path === first.path && message.startsWith("must "));
  if (!isAlike || findings.length === 0) return whole;
  const texts = [...new Set(findings.map(({ message }) => message))];
  const start = texts.every((text) => text.startsWith("must be ")) ? "must be " : "must ";
  return { ...first, message: start + orList(texts.map((text) => text.slice(start.length))) };
}

/** A missing key in view of all keys that the schema around the alternatives describes. */
function inContext(finding: Finding, { error: whole }: Finding): Finding {
  const { error, keyword } = finding;
  if (keyword !== "required" || error.instancePath !== whole.instancePath) return finding;
  return findingOf({ ...error, parentSchema: whole.parentSchema });
}

/**
 * What is wrong with a value that fits no alternative: what is wrong with the one that was meant, if its type
 * or a text in it tells, or else what all of them ask for.
 */
function ofAlternatives(whole: Finding, findings: readonly Finding[]): readonly Finding[] {
  const groups = groupsOf(whole, findings);
  const isHere = ({ error }: Finding): boolean => error.instancePath === whole.error.instancePath;
  const ofType = groups.filter((group) => !group.some((one) => isHere(one) && isValueFault(one)));
  if (ofType.length === 0) return [join(whole, findings)];
  const meant = ofType.find((group) => !group.some(isMark));
  if (meant === undefined) return [join(whole, ofType.flat().filter(isMark))];
  return meant.map((finding) => inContext(finding, whole));
}

/** What is wrong with a value, in words; errors of a key's name and of a condition are told by others. */
export function faultsOf(errors: readonly ErrorObject[]): readonly Fault[] {
  let findings: Finding[] = [];
  for (const error of errors.slice(0, mostErrors)) {
    if (error.propertyName !== undefined || error.keyword === "if") continue;
    const finding = findingOf(error);
    const inner = findings.filter((one) => isOfAlternative(one, finding));
    if (/^(anyOf|oneOf|contains)$/.test(error.keyword))
      findings = findings.filter((one) => !inner.includes(one));
    if (/^(anyOf|oneOf)$/.test(error.keyword)) findings.push(...ofAlternatives(finding, inner));
    else findings.push(finding);
  }
  return findings.slice(0, 50).map(({ path, keyword, message }) => ({ path, keyword, message }));
}
