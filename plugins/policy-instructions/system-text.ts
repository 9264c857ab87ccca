import { blockLine } from "@pergola/sdk/host";
import type { FoundSkill, InstructionText } from "./found.ts";

/** A part of the system text, and what had no room in it. */
export interface Rendered {
  /** Empty where there is nothing to say. */
  readonly text: string;
  readonly leftOut: readonly string[];
}

/** Bytes, at most; in a small context as many as it has tokens, or a quarter of that. */
const most = { instructions: 32_768, skills: 16_384, chosen: 32_768 } as const;

const bytesOf = (text: string): number => Buffer.byteLength(text);

/** Those that fit, whole and in order; one that is too large does not keep those behind it out. */
function fitting<T>(
  items: readonly T[],
  textOf: (item: T) => string,
  room: number,
): { readonly taken: readonly T[]; readonly others: readonly T[] } {
  const taken: T[] = [];
  let left = room;
  for (const item of items) {
    const size = bytesOf(textOf(item));
    if (size > left) continue;
    taken.push(item);
    left -= size;
  }
  return { taken, others: items.filter((item) => !taken.includes(item)) };
}

const instructionsHead =
  "Instructions for the folder that you work in, the most general first. Where two of them disagree, the " +
  "later one counts; what the person says in the conversation counts more than any of them.";

/** The texts of instructions, whole ones. `contextWindow`: tokens of the model's context. */
export function instructionsPart(texts: readonly InstructionText[], contextWindow: number): Rendered {
  const room = Math.min(most.instructions, contextWindow);
  const { taken, others } = fitting(texts, ({ text }) => text, room);
  const leftOut = others.map(({ path }) => path);
  if (taken.length === 0) return { text: "", leftOut };
  const parts = taken.map(({ path, text }) => `<file path="${blockLine(path)}">\n${text.trim()}\n</file>`);
  return { text: ["<instructions>", instructionsHead, ...parts, "</instructions>"].join("\n"), leftOut };
}

const skillsHead =
  "Skills: instructions for tasks of certain kinds. Before you work on a task that one of them is for, " +
  "read its file with file_operations (operation read_file), and follow it. Paths in it are relative to " +
  "its folder. A message that begins with / and a skill's name asks for that skill.";

/** The catalogue: what each skill is for, and where it is. */
export function skillsPart(skills: readonly FoundSkill[], contextWindow: number): Rendered {
  const line = ({ name, description, path }: FoundSkill): string =>
    `- ${name}: ${blockLine(description)} (${blockLine(path)})`;
  const room = Math.min(most.skills, contextWindow / 4);
  const { taken, others } = fitting(skills, line, room);
  const leftOut = others.map(({ path }) => path);
  if (taken.length === 0) return { text: "", leftOut };
  return { text: ["<skills>", skillsHead, ...taken.map(line), "</skills>"].join("\n"), leftOut };
}

/** The skills that the person has called in this conversation, whole. */
export function chosenPart(skills: readonly FoundSkill[], contextWindow: number): Rendered {
  const room = Math.min(most.chosen, contextWindow);
  const { taken, others } = fitting(skills, ({ body }) => body, room);
  const parts = taken.map(
    ({ name, path, body }) => `<skill name="${name}" path="${blockLine(path)}">\n${body}\n</skill>`,
  );
  return { text: parts.join("\n"), leftOut: others.map(({ path }) => path) };
}
