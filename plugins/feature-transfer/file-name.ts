import type { Conversation } from "@pergola/sdk";

/**
 * A name for the file of a conversation that every file system takes: `<title>-<date>.<extension>`, letters
 * of ASCII only.
 */
export function fileName(
  { title, updated }: Pick<Conversation, "title" | "updated">,
  extension: string,
): string {
  const words = title
    .normalize("NFKD")
    .replaceAll(/[^A-Za-z0-9]+/g, "-")
    .replaceAll(/^-+|-+$/g, "")
    .slice(0, 60)
    .toLowerCase();
  return `${words || "conversation"}-${updated.slice(0, 10)}.${extension}`;
}
