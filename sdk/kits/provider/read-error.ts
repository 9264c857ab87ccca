import { stringOf } from "@pergola/sdk";
import type { Fields } from "./json-values.ts";

/** Characters of an error object that has no message. */
const longest = 4096;

/** The first of these fields of an error object that holds a text; without one, the object as JSON. */
export function errorText(error: Fields, ...names: readonly string[]): string {
  const texts = names.map((name) => stringOf(error[name]));
  return texts.find((text) => text !== "") ?? JSON.stringify(error).slice(0, longest);
}

/** A number, or a text of digits, that is the HTTP status of a failure; undefined for anything else. */
export function errorStatus(value: unknown): number | undefined {
  const status = Number(value);
  return Number.isInteger(status) && status >= 400 && status < 600 ? status : undefined;
}
