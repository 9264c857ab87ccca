import { removeControlCharacters } from "@pergola/kit-dav";
import { basicTime } from "../time/stamp.ts";
import type { Kind } from "./items.ts";
import { loadIcal } from "./library.ts";

/** A content line with the current time. */
export const nowLine = (name: string, now: number): string => `${name}:${basicTime(now)}`;

export interface NewComponent {
  readonly uid: string;
  readonly now: number;
  /** Texts by property name. They are escaped and folded. */
  readonly texts: Readonly<Record<string, string | undefined>>;
  /** Further content lines, written as they are. */
  readonly lines: readonly string[];
}

/** The text of a new component. */
export async function componentText(kind: Kind, { uid, now, texts, lines }: NewComponent): Promise<string> {
  const { Property, helpers } = await loadIcal();
  const textLine = ([name, text = ""]: readonly [string, string | undefined]): string => {
    const property = new Property(name);
    property.setValue(removeControlCharacters(text));
    return helpers.foldline(property.toICALString());
  };
  const all = [
    `BEGIN:${kind}`,
    `UID:${uid}`,
    nowLine("DTSTAMP", now),
    nowLine("CREATED", now),
    ...lines,
    ...Object.entries(texts)
      .filter(([, text]) => text)
      .map(textLine),
    `END:${kind}`,
  ];
  return all.map((line) => `${line}\r\n`).join("");
}
