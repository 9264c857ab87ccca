/** Made when it is first used: that takes a browser as long as a tenth of the page. */
const formatOf = (options: Intl.DateTimeFormatOptions) => {
  let format: Intl.DateTimeFormat | undefined;
  return (date: Date): string => (format ??= new Intl.DateTimeFormat(undefined, options)).format(date);
};

const time = formatOf({ hour: "2-digit", minute: "2-digit" });
const day = formatOf({ day: "numeric", month: "short" });
const number = new Intl.NumberFormat();

/** Today's times as 14:31, others as a day. */
export function shortTime(iso: string, now = new Date()): string {
  const date = new Date(iso);
  return date.toDateString() === now.toDateString() ? time(date) : day(date);
}

export const clockTime = (iso: string): string => time(new Date(iso));
export const dayAndTime = (iso: string): string => `${day(new Date(iso))}, ${clockTime(iso)}`;
export const count = (value: number): string => number.format(value);

/** 2 steps, 1 step. */
export const counted = (value: number, one: string, many = `${one}s`): string =>
  `${count(value)} ${value === 1 ? one : many}`;

/** 4:12, of seconds. */
export const clock = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, "0")}`;

/** 18 ms, 2.1 s, 4:12. */
export function duration(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`;
  if (milliseconds < 60_000) return `${(milliseconds / 1000).toFixed(1)} s`;
  return clock(Math.round(milliseconds / 1000));
}

/** 2.5 GB, 61 MB, 3 kB. */
export function bytes(value: number): string {
  if (value < 1e6) return `${count(Math.ceil(value / 1e3))} kB`;
  return value < 1e9 ? `${count(Math.round(value / 1e6))} MB` : `${(value / 1e9).toFixed(1)} GB`;
}

/** $0.42, $0.0031; of what has no price, that. */
export const money = (usd: number | null): string =>
  usd === null ? "no price known" : `$${usd.toFixed(usd === 0 || usd >= 0.01 ? 2 : 4)}`;

export const nameAt = (path: string): string => path.split(/[/\\]/).at(-1) ?? "";

/** A text as it is; nothing of what is not there; all else as JSON. */
export const textFor = (value: unknown): string =>
  typeof value === "string" ? value : (JSON.stringify(value ?? undefined, null, 2) ?? "");

/** Facts in one line; what is empty or false is left out. */
export const joined = (...facts: readonly (string | false | null | undefined)[]): string =>
  facts.filter(Boolean).join(" · ");

// Control characters but tab and line feed; direction marks, characters without width, and tags.
const unseen = /(?![\t\n])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu;

const signOf = (character: string): string =>
  `⟨U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}⟩`;

/** Shows what would otherwise change how a text reads without being seen: commands, paths and links. */
export const visible = (text: string): string => text.replace(unseen, signOf);

export const agentOf = (tool?: string) => tool !== undefined && visible(`sub-agent of ${tool}`);
