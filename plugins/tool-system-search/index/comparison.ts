import { fold } from "../fold.ts";

/** Other names of attributes, such as the platform's own. */
const otherNames: Readonly<Record<string, string>> = {
  authors: "author",
  kmditemauthors: "author",
  kmditemtitle: "title",
  kmditemalbum: "album",
  kmditemmusicalgenre: "genre",
  kmditempixelwidth: "width",
  kmditempixelheight: "height",
  kmditemdurationseconds: "duration",
  kmditemnumberofpages: "pages",
  kmditemkeywords: "keywords",
  kmditemcomposer: "composer",
  kmditemfsname: "name",
  kmditemfssize: "size",
  kmditemcontentcreationdate: "created",
  kmditemacquisitionmodel: "camera",
  page_count: "pages",
  model: "camera",
  taken: "date_taken",
  type: "extension",
};

/** Attributes of every file, and the column that holds each. */
const columns: Readonly<Record<string, string>> = {
  name: "folded",
  extension: "extension",
  size: "size",
  modified: "modified",
};
const units: Readonly<Record<string, number>> = {
  b: 1,
  kb: 1e3,
  mb: 1e6,
  gb: 1e9,
  tb: 1e12,
  kib: 1024,
  mib: 1 << 20,
  gib: 1 << 30,
};

/** An attribute by any of its names. */
export function attributeNamed(alias: string): string {
  const name = alias
    .trim()
    .toLowerCase()
    .replaceAll(/[\s-]+/g, "_");
  return otherNames[name] ?? name;
}

/** The attributes that every file has. */
export const columnNames: readonly string[] = Object.keys(columns);

export const isColumn = (attribute: string): boolean => attribute in columns;

/** A part of a statement and the values of its question marks. */
export interface Sql {
  readonly sql: string;
  readonly values: readonly (string | number)[];
}

/** `12`, `1.5 MB`. */
function numberIn(text: string): number | undefined {
  const [, digits, unit = "b"] = /^(-?\d+(?:\.\d+)?)\s*([kmgt]?i?b)?$/i.exec(text) ?? [];
  return digits === undefined ? undefined : Number(digits) * (units[unit.toLowerCase()] ?? 1);
}

/** The SQL of an attribute's text and of its number, which may be a date. */
interface Attribute {
  readonly text: string;
  readonly number: string;
  readonly isDate?: boolean;
}

const modified: Attribute = {
  text: "strftime('%Y-%m-%dT%H:%M:%S', modified / 1000, 'unixepoch')",
  number: "modified",
  isDate: true,
};

/** One bound of a value, by number, by date or by letters. */
function bound({ text, number, isDate }: Attribute, operator: string, bare: string): Sql {
  const value = isDate ? Date.parse(bare) : numberIn(bare);
  if (value !== undefined && !Number.isNaN(value)) return { sql: `${number} ${operator} ?`, values: [value] };
  return { sql: `${text} ${operator} ?`, values: [fold(bare)] };
}

function condition(attribute: Attribute, value: string): Sql {
  const { text, number } = attribute;
  const [, low, high] = /^(.+?)\s*\.\.\s*(.+)$/.exec(value) ?? [];
  if (low !== undefined && high !== undefined) {
    const [first, last] = [bound(attribute, ">=", low), bound(attribute, "<=", high)];
    return { sql: `${first.sql} AND ${last.sql}`, values: [...first.values, ...last.values] };
  }
  const [, operator, bare = ""] = /^(>=|<=|>|<|=)\s*(.+)$/.exec(value) ?? [];
  if (operator !== undefined) return bound(attribute, operator, bare);
  const exact = numberIn(value);
  const inside = { sql: `instr(${text}, ?)`, values: [fold(value)] };
  if (exact === undefined) return inside;
  const sql = `${number} = ? OR (${number} IS NULL AND ${inside.sql})`;
  return { sql, values: [exact, ...inside.values] };
}

/**
 * Files of which an attribute has a value: a text that it contains, a number that it is, `> 1920`, `<= 2 MB`,
 * `2024-05..2024-08`.
 */
export function comparisonSql(name: string, value: string): Sql {
  const attribute = attributeNamed(name);
  const column = columns[attribute];
  if (attribute === "modified") return condition(modified, value.trim());
  if (column !== undefined)
    return condition({ text: `CAST(${column} AS TEXT)`, number: column }, value.trim());
  const { sql, values } = condition({ text: "text", number: "number" }, value.trim());
  return {
    sql: `files.id IN (SELECT file FROM facts WHERE attribute = ? AND (${sql}))`,
    values: [attribute, ...values],
  };
}
