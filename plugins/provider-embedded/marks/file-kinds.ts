/** What is in a file, as far as the ending of its name tells: operations are made for one kind or for any. */
export type FileKind = "document" | "media" | "text";

const kinds: readonly (readonly [FileKind, RegExp])[] = [
  ["document", /\.(?:pdf|docx?|odt|rtf|pptx?|odp|xlsx?|ods|epub)$/i],
  ["media", /\.(?:jpe?g|png|gif|webp|heic|tiff?|bmp|mp3|flac|wav|ogg|m4a|aac|mp4|mov|mkv|avi|webm)$/i],
  ["text", /\.\w+$/],
];

/** The kind of a file by its name; undefined for a name without an ending. */
export const fileKindOf = (name: string): FileKind | undefined =>
  kinds.find(([, pattern]) => pattern.test(name))?.[0];
