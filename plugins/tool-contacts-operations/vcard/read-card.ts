import { createHash } from "node:crypto";
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
  /** The UIDs of a card that is itself a group; undefined for a person or an organization. */
  readonly members: readonly string[] | undefined;
}

/** A card without a UID gets an id made of its text, which it keeps as its UID when it is changed. */
export function idOf(card: string): string {
  const uid = linesOf(card)
    .find(({ name }) => name === "UID")
    ?.value.trim();
  return uid || `without-uid-${createHash("sha256").update(card.trimEnd()).digest("hex").slice(0, 16)}`;
}

/** ical.js undoes every escape but that of the semicolon. Its dates and times know their text. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).filter(Boolean).join(", ");
  return value === null || value === undefined ? "" : `${value as string}`.replaceAll("\\;", ";").trim();
}

const plain = new Set(["internet", "pref", "voice", ""]);

/** `a@b.c (work)`: the kinds that tell something. */
function labelled(property: ICAL.Property): string {
  const types = [property.getParameter("type") ?? []]
    .flat()
    .flatMap((type) => String(type).toLowerCase().split(","));
  const shown = [...new Set(types)].filter((type) => !plain.has(type)).join(", ");
  const value = textOf(property.getFirstValue()).replace(/^(tel|mailto):/i, "");
  return shown === "" || value === "" ? value : `${value} (${shown})`;
}

/** First names come before last names where only the parts are given. */
function nameIn(card: ICAL.Component): string {
  const [last, first, middle, before, after] = [
    card.getFirstPropertyValue("n") ?? [],
  ].flat() as readonly unknown[];
  const parts = [before, first, middle, last, after].map(textOf).filter(Boolean).join(" ");
  return textOf(card.getFirstPropertyValue("fn")) || parts || textOf(card.getFirstPropertyValue("org"));
}

/** What a card says. Throws what ical.js throws for a text that is none. */
export async function readCard(text: string): Promise<Contact> {
  const { Component, parse } = (await import("ical.js")).default;
  const card = new Component(parse(modern(text).trimEnd()) as unknown[]);
  const [one, all] = [
    (name: string) => textOf(card.getFirstPropertyValue(name)),
    (name: string) => card.getAllProperties(name),
  ];
  const isGroup = /^group$/i.test(one("kind") || one("x-addressbookserver-kind"));
  const members = [...all("member"), ...all("x-addressbookserver-member")].map((property) =>
    textOf(property.getFirstValue()),
  );
  return {
    id: idOf(text),
    name: nameIn(card),
    organization: one("org"),
    title: one("title"),
    emails: all("email").map(labelled).filter(Boolean),
    phones: all("tel").map(labelled).filter(Boolean),
    addresses: all("adr").map(labelled).filter(Boolean),
    birthday: one("bday"),
    notes: one("note"),
    groups: all("categories").flatMap((property) =>
      (property.getValues() as unknown[]).map(textOf).filter(Boolean),
    ),
    members: isGroup ? members.map((member) => member.replace(/^urn:uuid:/i, "")) : undefined,
  };
}
