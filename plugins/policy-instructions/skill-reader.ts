import path from "node:path";
import { parseSkill, type ParsedSkill } from "./parse-skill.ts";
import type { FoundSkill } from "./found.ts";

/** Skills that are remembered as they were read. */
const mostKnown = 1000;

type Read = { readonly skill: FoundSkill; readonly complaints: readonly string[] };

/** Reads skills; the same bytes are parsed once. */
export class SkillReader {
  readonly #known = new Map<string, ReturnType<typeof parseSkill>>();

  /** The skill of a file that was verified or is the person's own, or a sentence that says why it is none. */
  async read(
    file: string,
    { text, digest }: { readonly text: string; readonly digest: string },
    own: boolean,
  ): Promise<Read | string> {
    const parsed = await this.#parse(text, digest, path.basename(path.dirname(file)));
    if ("fault" in parsed) return `${file} is no skill: ${parsed.fault}.`;
    const { complaints, ...skill } = parsed;
    const said = complaints.map((complaint) => `${file}: ${complaint}.`);
    return { skill: { ...skill, path: file, own, digest }, complaints: said };
  }

  #parse(
    text: string,
    digest: string,
    folderName: string,
  ): Promise<ParsedSkill | { readonly fault: string }> {
    const key = `${digest} ${folderName}`;
    const known = this.#known.get(key);
    if (known !== undefined) return known;
    if (this.#known.size >= mostKnown) this.#known.clear();
    const parsed = parseSkill(text, folderName);
    this.#known.set(key, parsed);
    return parsed;
  }
}
