import path from "node:path";

/**
 * One spelling for paths that some file system takes for the same: composed and decomposed letters, upper and
 * lower case, and characters that are not shown.
 */
export const spelling = (file: string): string =>
  file
    .normalize("NFC")
    .toLowerCase()
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, "");

/** The path as it was called: absolute, `~` replaced by `home`, links not followed. */
export const absolutePath = (file: string, base: string, home: string): string =>
  path.resolve(
    base,
    file.replace(/^~(?=[/\\]|$)/, () => home),
  );

/** What fits a name in which `*` stands for any characters. The name is in its `spelling`. */
export function namePattern(name: string): (given: string) => boolean {
  if (!name.includes("*")) return (given) => given === name;
  const parts = name.split("*").map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&"));
  const pattern = new RegExp(`^${parts.join(".*")}$`, "s");
  return (given) => pattern.test(given);
}
