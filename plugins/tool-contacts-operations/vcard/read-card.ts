import { uidFromText } from "@pergola/kit-dav";
import type ICAL from "ical.js";
import { linesOf } from "./lines.ts";
import { modern } from "./modern.ts";

export interface Contact {
  readonly id: string;
  readonly name: string;
  readonly organization: string;
  readonly title: string;
  readonly emails: readonly string[];
  readonly phones: readonly string[];
  readonly addresses: readonly string[];
  readonly birthday: string;
  readonly notes: string;
  readonly groups: readonly string[];
  /** The members' UIDs if the card describes a group; undefined for a person or an organization. */
  readonly members: readonly string[] | undefined;
}

/**
 * The card's UID. A card without one gets an ID made from its text, and keeps it as its UID once it is
 * changed.
 */
export function idOf(card: string): string {
  const uid = linesOf(card).find(({ name }) => name === "UID");
  return uid?.value.trim() || uidFromText(card);
}

/** ical.js decodes every escape but that of the semicolon. Its dates and times convert to text themselves. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).filter(Boolean).join(", ");
  return `${(value ?? "") as string}`.replaceAll("\\;", ";").trim();
}

const uninformativeTypes = new Set(["internet", "pref", "voice", ""]);

/** `a@b.c (work)`: the value and the types that say something about it. */
function labelledValue(property: ICAL.Property): string {
  const value = textOf(property.getFirstValue()).replace(/^(tel|mailto):/i, "");
  const types = [property.getParameter("type") ?? []]
    .flat()
    .flatMap((type) => String(type).toLowerCase().split(","));
  const label = [...new Set(types)].filter((type) => !uninformativeTypes.has(type)).join(", ");
  if (label === "" || value === "") return value;
  return `${value} (${label})`;
}

/** The full name; without one, the parts of the name in Western order; without those, the organization. */
function nameIn(card: ICAL.Component): string {
  const [last, first, middle, before, after] = [
    card.getFirstPropertyValue("n") ?? [],
  ].flat() as readonly unknown[];
  const parts = [before, first, middle, last, after].map(textOf).filter(Boolean).join(" ");
  return textOf(card.getFirstPropertyValue("fn")) || parts || textOf(card.getFirstPropertyValue("org"));
}

/** Reads a card. Throws what ical.js throws if the text is not a card. */
export async function readCard(text: string): Promise<Contact> {
  const { Component, parse } = (await import("ical.js")).default;
  const card = new Component(parse(modern(text).trimEnd()) as unknown[]);
  const first = (name: string): string => textOf(card.getFirstPropertyValue(name));
  const labelled = (name: string): string[] => card.getAllProperties(name).map(labelledValue).filter(Boolean);
  const texts = (name: string): string[] =>
    card.getAllProperties(name).flatMap((property) => (property.getValues() as unknown[]).map(textOf));
  const isGroup = /^group$/i.test(first("kind") || first("x-addressbookserver-kind"));
  const members = [...texts("member"), ...texts("x-addressbookserver-member")];
  return {
    id: idOf(text),
    name: nameIn(card),
    organization: first("org"),
    title: first("title"),
    emails: labelled("email"),
    phones: labelled("tel"),
    addresses: labelled("adr"),
    birthday: first("bday"),
    notes: first("note"),
    groups: texts("categories").filter(Boolean),
    members: isGroup ? members.map((member) => member.replace(/^urn:uuid:/i, "")) : undefined,
  };
}
