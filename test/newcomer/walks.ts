import { read } from "../architecture/tree.ts";

/** A path that a newcomer takes, by the commands of a section of the documentation. */
export interface Walk {
  readonly what: string;
  readonly page: string;
  /** The heading of the section; what stands below its own headings is not part of it. */
  readonly section: string;
  /** Where it begins, from the home folder; default: there. */
  readonly folder?: string;
  /** What the last command must say. */
  readonly answer: RegExp;
  /** Where the files go that the section shows, from the home folder. */
  readonly files?: string;
  /** The most seconds that its commands may take. */
  readonly goal?: number;
}

/** In this order: the later ones use what the earlier ones have installed. */
export const walks: readonly Walk[] = [
  {
    what: "From the clone to the first answer",
    page: "docs/getting-started.md",
    section: "The first answer",
    answer: /built-in guide/,
  },
  {
    what: "The command for every folder, and a chat at the terminal",
    page: "docs/getting-started.md",
    section: "At the terminal",
    folder: "pergola",
    answer: /built-in guide/,
  },
  {
    what: "A plugin of somebody else, from its package to its first answer",
    page: "docs/getting-started.md",
    section: "A plugin of somebody else",
    folder: "pergola",
    answer: /Hello, Ada!/,
  },
  {
    what: "A tool of your own in a single file, used in a chat",
    page: "docs/single-file-tools.md",
    section: "A tool in a single file",
    answer: /total: \d+/,
    files: ".config/pergola/tools",
    goal: 60,
  },
  {
    what: "A tool of your own as a package with tests, used in a chat",
    page: "docs/plugins.md",
    section: "Write a plugin",
    answer: /count: 4/,
    goal: 300,
  },
];

/** What the newcomer does next: types a line, or saves a file. */
export type Step = { readonly command: string } | { readonly file: string; readonly text: string };

/** The text of a section, up to the next heading. */
function sectionOf({ page, section }: Walk): string {
  const parts = read(page).split(/^#+ (.+)$/m);
  const at = parts.findIndex((part, index) => index % 2 === 1 && part === section);
  if (at < 0) throw new Error(`${page} has no section "${section}"`);
  return parts[at + 1] ?? "";
}

/** A shell block, or a file: a block below a line that ends with its name, as in "`greet.js`:". */
const blocks = /```sh\n([^]*?)```|`([\w.-]+)`:\n\n```(?:ts|js)\n([^]*?)```/g;

/** The lines of the section's shell blocks, without their comments, and its files, in their order. */
export const stepsOf = (walk: Walk): readonly Step[] =>
  [...sectionOf(walk).matchAll(blocks)].flatMap(([, lines, file = "", text = ""]): readonly Step[] => {
    if (lines === undefined) return [{ file, text }];
    const commands = lines.split("\n").map((line) => line.replace(/(^|\s+)# .*$/, "").trim());
    return commands.filter((command) => command !== "").map((command) => ({ command }));
  });
