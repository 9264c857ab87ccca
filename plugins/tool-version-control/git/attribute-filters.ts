import type { Repository } from "./repository.ts";

const attributesName = ".gitattributes";

/** Attributes that give a file a filter, by themselves or as a macro of theirs. */
type FilterNames = ReadonlySet<string>;

const setsFilter = (attribute: string, names: FilterNames): boolean =>
  names.has(attribute.split("=", 1)[0] ?? "");

/** The names of macros that give a filter, and `filter` itself. */
function filterNames(texts: readonly string[]): FilterNames {
  const names = new Set(["filter"]);
  for (const [, name = "", attributes = ""] of texts.join("\n").matchAll(/^\[attr\](\S+)(.*)$/gm))
    if (attributes.split(/\s+/).some((attribute) => setsFilter(attribute, names))) names.add(name);
  return names;
}

/** The patterns of an attributes file for files that get a filter (gitattributes(5)). */
function filteredPatterns(text: string, names: FilterNames): readonly string[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const [, pattern = "", attributes = ""] =
      /^\s*("(?:[^"\\]|\\.)*"|[^\s"#][^\s]*)\s+(.*)$/.exec(line) ?? [];
    if (pattern === "" || pattern.startsWith("[attr]") || pattern.endsWith("/")) return [];
    if (!attributes.split(/\s+/).some((attribute) => setsFilter(attribute, names))) return [];
    // A name in quotes holds escapes: any file may be meant.
    return [pattern.startsWith('"') ? "*" : pattern];
  });
}

/** A pattern of an attributes file in a folder, as a path that git searches a tree by. */
function pathspecOf(folder: string, pattern: string): string {
  const place = folder.replaceAll(/[\\*?[\]]/g, "\\$&");
  const path = pattern.includes("/") ? pattern.replace(/^\//, "") : `**/${pattern}`;
  return `:(glob)${place}${path}`;
}

/** The attributes files of a tree: the folder of each, with a slash at its end, and its text. */
async function attributesIn(repository: Repository, tree: string) {
  const names = await repository.run(["ls-tree", "-r", "-z", "--full-tree", "--name-only", tree]);
  const files = names.split("\0").filter((name) => `/${name}`.endsWith(`/${attributesName}`));
  const found: { readonly folder: string; readonly text: string }[] = [];
  for (const file of files) {
    const text = await repository.run(["cat-file", "blob", `${tree}:${file}`]);
    found.push({ folder: file.slice(0, -attributesName.length), text });
  }
  return found;
}

/**
 * A file of a tree that its own attributes give a filter; undefined if there is none. A later line that takes
 * the filter away again is not looked at.
 */
export async function filteredFileIn(repository: Repository, tree: string): Promise<string | undefined> {
  const attributes = await attributesIn(repository, tree);
  const names = filterNames(attributes.map(({ text }) => text));
  const pathspecs = attributes.flatMap(({ folder, text }) =>
    filteredPatterns(text, names).map((pattern) => pathspecOf(folder, pattern)),
  );
  if (pathspecs.length === 0) return undefined;
  const empty = (await repository.run(["hash-object", "-t", "tree", "--stdin"], { input: "" })).trim();
  const output = await repository.run(
    ["diff-tree", "-r", "-z", "--name-only", "--no-renames", empty, tree, "--", ...pathspecs],
    { literal: false, mayBeCut: true },
  );
  return output.split("\0").find((file) => file !== "");
}
