import { isObject, stringOf } from "@pergola/sdk";
import type { Fields } from "../apps/app.ts";

/** The list, or an empty one. */
export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** The objects of a list. */
export const objectsOf = (value: unknown): readonly Fields[] => listOf(value).filter(isObject);

/** The object, or an empty one. */
export const fieldsOf = (value: unknown): Fields => (isObject(value) ? value : {});

/** The first string that is not empty. */
export const firstText = (...values: readonly unknown[]): string =>
  values.map(stringOf).find((text) => text !== "") ?? "";

/** Text that every storage takes: no NUL, no half of a surrogate pair. */
export const storableText = (text: string): string =>
  text.replaceAll("\0", "").replaceAll(/\p{Surrogate}/gu, "\ufffd");

/** Above it, a number counts milliseconds: as seconds it would be in the year 5138. */
const mostSeconds = 1e11;

const [earliest, latest] = [Date.UTC(1970, 0), Date.UTC(10_000, 0)];

function milliseconds(value: unknown): number {
  const number = typeof value === "string" && value.trim() !== "" ? Number(value) : value;
  if (typeof number !== "number" || Number.isNaN(number)) return Date.parse(stringOf(value));
  return number > mostSeconds ? number : number * 1000;
}

/** A time as ISO 8601 in UTC, whether it came as seconds, milliseconds or text; else undefined. */
export function timeOf(value: unknown): string | undefined {
  const time = Math.floor(milliseconds(value));
  if (!(time > earliest && time < latest)) return undefined;
  return new Date(time).toISOString();
}

/** Where a model wrote its thoughts before its answer, both apart. */
export function splitThoughts(text: string): { readonly text: string; readonly reasoning?: string } {
  const [start, end] = ["<think>", "</think>"];
  const trimmed = text.trimStart();
  const at = trimmed.indexOf(end);
  if (!trimmed.startsWith(start) || at < 0) return { text };
  return { text: trimmed.slice(at + end.length).trim(), reasoning: trimmed.slice(start.length, at).trim() };
}

/** The mark that stands in a text for what was left out. */
export const mark = (what: string, name = ""): string =>
  name === "" ? `[${what} left out]` : `[${what} left out: ${name}]`;

/** The texts that are not empty, as paragraphs. */
export const paragraphs = (...texts: readonly string[]): string =>
  texts.filter((text) => text.trim() !== "").join("\n\n");
