import {
  countOf,
  defineOperation,
  toolDisplay,
  ToolError,
  withFileLocks,
  type FromSchema,
  type ToolContext,
} from "@pergola/sdk";
import { filePath } from "../parameters.ts";
import { readEditable } from "../text/bytes.ts";
import { outcomeOfReplacing } from "../text/outcome.ts";
import { replace } from "../text/replace.ts";

const replacements = {
  type: "array",
  minItems: 1,
  description: "The replacements, made in this order",
  items: {
    type: "object",
    properties: {
      filePath,
      oldString: {
        type: "string",
        minLength: 1,
        description: "The exact text to replace; it must occur once",
      },
      newString: { type: "string", description: "The text to put there" },
    },
    required: ["oldString", "newString"],
  },
} as const;

type Item = FromSchema<typeof replacements>[number];
type Step = Item & { readonly filePath: string };

/** Each replacement with its file: its own, else the call's. */
const stepsOf = (items: readonly Item[], common: string | undefined): readonly Step[] =>
  items.map((item, index) => {
    const file = item.filePath ?? common;
    if (file !== undefined) return { filePath: file, oldString: item.oldString, newString: item.newString };
    throw new ToolError("insufficient_params", `replacements[${index}] names no file.`, {
      hint: "Give filePath for the whole call or in each replacement.",
    });
  });

/** Texts of the files that a call changes, by real path, each under the name it was first given. */
type Drafts = Map<string, { readonly path: string; text: string }>;

async function draftOf(context: ToolContext, drafts: Drafts, path: string): Promise<{ text: string }> {
  const { real } = await context.files.resolve(path);
  const draft = drafts.get(real) ?? { path, text: await readEditable(context, path) };
  drafts.set(real, draft);
  return draft;
}

async function replaceAllOf(context: ToolContext, steps: readonly Step[]): Promise<readonly number[]> {
  const drafts: Drafts = new Map();
  const counts: number[] = [];
  for (const step of steps) {
    const draft = await draftOf(context, drafts, step.filePath);
    const { text, count } = replace(draft.text, step);
    draft.text = text;
    counts.push(count);
  }
  await context.files.writeAll([...drafts.values()].map(({ path, text }) => ({ path, content: text })));
  return counts;
}

export const multiReplaceString = defineOperation({
  name: "multi_replace_string",
  description:
    "Replace several exact pieces of text in one or more files: all of them, or none if one fails. " +
    "Each must occur once.",
  effect: "write",
  place: "paths",
  recovery: "reconcile",
  parameters: { filePath, replacements },
  required: ["replacements"],
  display: (args) => toolDisplay("Edit files", countOf(args.replacements.length, "replacement"), "pencil"),
  examples: [
    {
      say: "in main.py replace foo with bar and spam with eggs",
      arguments: {
        filePath: "main.py",
        replacements: [
          { oldString: "foo", newString: "bar" },
          { oldString: "spam", newString: "eggs" },
        ],
      },
    },
    {
      say: "change 1.0 to 1.1 in package.json and old to new in CHANGELOG.md together",
      arguments: {
        replacements: [
          { filePath: "package.json", oldString: "1.0", newString: "1.1" },
          { filePath: "CHANGELOG.md", oldString: "old", newString: "new" },
        ],
      },
    },
    {
      say: "make these replacements in a.txt all at once: red to blue, up to down",
      arguments: {
        filePath: "a.txt",
        replacements: [
          { oldString: "red", newString: "blue" },
          { oldString: "up", newString: "down" },
        ],
      },
    },
    {
      say: "rename getUser to fetchUser in api.ts and in client.ts",
      arguments: {
        replacements: [
          { filePath: "api.ts", oldString: "getUser", newString: "fetchUser" },
          { filePath: "client.ts", oldString: "getUser", newString: "fetchUser" },
        ],
      },
    },
  ],
  async run(args, context) {
    const steps = stepsOf(args.replacements, args.filePath);
    const files = [...new Set(steps.map((step) => step.filePath))];
    const counts = await withFileLocks(context.files, files, () => replaceAllOf(context, steps));
    const totalReplacements = counts.reduce((sum, count) => sum + count, 0);
    return {
      data: {
        replacements: steps.map((step, index) => ({ ...step, count: counts[index] ?? 0 })),
        totalReplacements,
      },
      message: `Made ${countOf(totalReplacements, "replacement")} in ${countOf(files.length, "file")}.`,
    };
  },
  /**
   * All files are replaced together, so what is certain of one is true of all, unless they contradict each
   * other.
   */
  async reconcile(args, context) {
    const steps = stepsOf(args.replacements, args.filePath);
    const outcomes = new Set(await Promise.all(steps.map((step) => outcomeOfReplacing(context, step))));
    const [only = "unknown"] = outcomes;
    if (outcomes.size > 1) return "unknown";
    return only;
  },
});
