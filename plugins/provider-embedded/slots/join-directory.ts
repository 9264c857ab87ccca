import type { Json } from "@pergola/sdk";
import type { Phrase } from "../phrase/phrase.ts";
import type { Route } from "../router/catalogue.ts";
import type { Draft } from "./draft.ts";

const intoFolder = /\b(?:in|into|inside|under|to)\s+(?:the\s+|my\s+)?$/i;

const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");

/**
 * A file named beside the folder it is in or goes to: `a.txt in the docs folder` is `docs/a.txt`, and `move
 * a.txt to the docs folder` has the new path `docs/a.txt`.
 */
export function joinDirectory(draft: Draft, { marks, text }: Phrase, { slots }: Route): void {
  const paths = slots.filter(({ kind }) => kind === "path");
  const source = paths.find(({ role }) => role === "source");
  const goal = paths.find(({ role }) => role === "target") ?? (paths.length === 1 ? paths[0] : undefined);
  const folder = marks.find(
    ({ kind, directory, loose, start }) =>
      kind === "path" && directory === true && loose !== true && intoFolder.test(text.slice(0, start)),
  );
  if (goal === undefined || folder === undefined) return;
  const given = textOf(draft.values[goal.name]);
  const base =
    textOf(draft.values[source?.name ?? goal.name])
      .split(/[/\\]/)
      .at(-1) ?? "";
  const fits =
    source === undefined ? !given.includes("/") && !draft.taken.includes(folder) : given === folder.value;
  if (!fits || !/\.\w+$/.test(base)) return;
  draft.values[goal.name] = `${String(folder.value).replace(/\/$/, "")}/${base}`;
  if (!draft.taken.includes(folder)) draft.taken.push(folder);
}
