import { defineOperation, type ToolContext } from "@pergola/sdk";
import { card } from "../card.ts";
import { match, preview, queryWords } from "../match.ts";
import { notesOf, type Note } from "../notes.ts";
import { folder, maxResults, query } from "../parameters.ts";
import { entry, outOf } from "../render-notes.ts";

const searchedBytes = 2 ** 20;

interface Hit {
  readonly note: Note;
  readonly inTitle: boolean;
  readonly preview: string;
}

async function findHits(
  context: ToolContext,
  notes: readonly Note[],
  words: readonly string[],
): Promise<readonly Hit[]> {
  const hits: Hit[] = [];
  for (const [index, note] of notes.entries()) {
    context.signal.throwIfAborted();
    if (index % 500 === 499) context.progress(`${index + 1} of ${notes.length} notes searched`);
    const bytes = await context.files.read(note.path, { end: searchedBytes });
    const text = Buffer.from(bytes).toString("utf8");
    const { found, inTitle } = match(words, note.name, text);
    if (found)
      hits.push({
        note,
        inTitle,
        preview: preview(words, text),
      });
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
  display: (args) => card("Search notes", args.query),
  examples: [
    { say: "search my notes for pancakes", arguments: { query: "pancakes" } },
    { say: "which of my notes mention the dentist?", arguments: { query: "dentist" } },
    { say: "is there anything about taxes in my notes?", arguments: { query: "taxes" } },
    { say: "find the note about the wifi password", arguments: { query: "wifi password" } },
    { say: "search the notes in Work for budget", arguments: { query: "budget", folder: "Work" } },
  ],
  async run(args, context) {
    const notes = await notesOf(context, args.folder);
    const hits = await findHits(context, notes, queryWords(args.query));
    const sorted = hits.toSorted((a, b) => Number(b.inTitle) - Number(a.inTitle));
    const page = sorted.slice(0, args.max_results);
    const data = page.map((hit) => entry(hit.note, hit.preview)).join("\n");
    return { data: data || "No note matches.", message: outOf(page.length, hits.length) };
  },
});
