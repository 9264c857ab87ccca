import { defineOperation, type ToolContext } from "@pergola/sdk";
import { card } from "../card.ts";
import { match, preview, queryOf, type Query } from "../match.ts";
import { notesOf, type Note } from "../notes.ts";
import { folder, maxResults, query } from "../parameters.ts";
import { entry, outOf } from "../render-notes.ts";

const searchedBytes = 2 ** 20;

interface Hit {
  readonly note: Note;
  readonly inTitle: boolean;
  readonly preview: string;
}

async function hitsOf(context: ToolContext, notes: readonly Note[], wanted: Query): Promise<readonly Hit[]> {
  const hits: Hit[] = [];
  for (const [index, note] of notes.entries()) {
    context.signal.throwIfAborted();
    if (index % 500 === 499) context.progress(`${index + 1} of ${notes.length} notes searched`);
    const text = Buffer.from(await context.files.read(note.path, { end: searchedBytes })).toString("utf8");
    const { found, inTitle } = match(wanted, note.name, text);
    if (found) hits.push({ note, inTitle, preview: preview(wanted, text) });
  }
  return hits;
}

export const search = defineOperation({
  name: "search",
  description: "Find notes.",
  effect: "read",
  place: "external",
  parameters: { query, folder, max_results: maxResults },
  required: ["query"],
  display: (args) => card("Searching notes", args.query),
  examples: [
    { say: "search my notes for pancakes", arguments: { query: "pancakes" } },
    { say: "which of my notes mention the dentist?", arguments: { query: "dentist" } },
    { say: "is there anything about taxes in my notes?", arguments: { query: "taxes" } },
    { say: "find the note about the wifi password", arguments: { query: "wifi password" } },
    { say: "search the notes in Work for budget", arguments: { query: "budget", folder: "Work" } },
  ],
  async run(args, context) {
    const hits = await hitsOf(context, await notesOf(context, args.folder), queryOf(args.query));
    const shown = hits.toSorted((a, b) => Number(b.inTitle) - Number(a.inTitle)).slice(0, args.max_results);
    const data = shown.map((hit) => entry(hit.note, hit.preview)).join("\n");
    return { data: data || "No note matches.", message: outOf(shown.length, hits.length) };
  },
});
