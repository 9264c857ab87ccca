import { isObject } from "@pergola/sdk";

/** The first place in which two values of JSON differ, such as `tools[0].description`; undefined = none. */
export function placeOfDifference(one: unknown, other: unknown, place = ""): string | undefined {
  if (!isContainer(one) || !isContainer(other)) return Object.is(one, other) ? undefined : place;
  for (const key of new Set([...Object.keys(one), ...Object.keys(other)])) {
    const step = Array.isArray(one) ? `[${key}]` : `${place && "."}${key}`;
    const [own, others] = [one, other].map((each) => (each as Readonly<Record<string, unknown>>)[key]);
    const found = placeOfDifference(own, others, `${place}${step}`);
    if (found !== undefined) return found;
  }
  return undefined;
}

const isContainer = (value: unknown): value is object => isObject(value) || Array.isArray(value);
