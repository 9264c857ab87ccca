import path from "node:path";
import { isoTime } from "@pergola/kit-file-facts";
import { defineOperation, ToolError, type FileInfo } from "@pergola/sdk";
import { card } from "../card.ts";
import { FactsThread } from "../facts/facts-thread.ts";
import { extensionOf, typesOf } from "../file-types.ts";
import type { Facts } from "../service/messages.ts";

const plain = ({ path: file, name, kind, size, created, modified, accessed }: FileInfo): Facts => ({
  name,
  path: file,
  kind,
  ...(kind === "file" && {
    extension: extensionOf(name),
    file_type: typesOf(extensionOf(name)).join(", ") || "other",
  }),
  size,
  created_at: isoTime(created),
  modified: isoTime(modified),
  accessed: isoTime(accessed),
});

/** What the file's header says, in a thread that ends with the call. */
async function factsOf(file: string, signal: AbortSignal): Promise<Facts> {
  const reader = new FactsThread();
  const end = (): void => void reader.close();
  signal.addEventListener("abort", end, { once: true });
  try {
    return (await reader.read({ path: file, wantsText: false })).facts;
  } finally {
    signal.removeEventListener("abort", end);
    await reader.close();
    signal.throwIfAborted();
  }
}

export const fileInfo = defineOperation({
  name: "file_info",
  description: "Attributes of a file and its header.",
  effect: "read",
  parameters: { path: { type: "string", format: "path" } },
  required: ["path"],
  display: (args) => card("Read attributes", args.path),
  examples: [
    { say: "what metadata does song.mp3 have?", arguments: { path: "song.mp3" } },
    {
      say: "when and with which camera was ~/Pictures/beach.jpg taken?",
      arguments: { path: "~/Pictures/beach.jpg" },
    },
    { say: "who is the author of thesis.pdf?", arguments: { path: "thesis.pdf" } },
    { say: "what is the bitrate of speech.mp3?", arguments: { path: "speech.mp3" } },
    { say: "which album is tune.mp3 on?", arguments: { path: "tune.mp3" } },
    { say: "how many pixels does scan.png have?", arguments: { path: "scan.png" } },
    { say: "which camera was used for IMG_11.jpg?", arguments: { path: "IMG_11.jpg" } },
    { say: "where was ~/Pictures/beach.jpg taken?", arguments: { path: "~/Pictures/beach.jpg" } },
    { say: "who sings song.mp3?", arguments: { path: "song.mp3" } },
    { say: "show the metadata of photo.jpg", arguments: { path: "photo.jpg" } },
    { say: "what resolution does photo.jpg have?", arguments: { path: "photo.jpg" } },
    { say: "what is the title of the song tune.mp3?", arguments: { path: "tune.mp3" } },
  ],
  async run({ path: file }, context) {
    const { real, exists } = await context.files.resolve(file);
    const info = exists ? await context.files.stat(real) : undefined;
    if (info === undefined)
      throw new ToolError("file_not_found", `There is no file "${file}".`, { hint: "Find it with search." });
    if (info.kind !== "file")
      return { data: { ...plain(info) }, message: `Attributes of the ${info.kind} ${path.basename(real)}.` };
    // The door says whether the file may be read at all.
    await context.files.read(real, { start: 0, end: 1 });
    return {
      data: { ...plain(info), ...(await factsOf(real, context.signal)) },
      message: `Attributes of ${info.name}.`,
    };
  },
});
