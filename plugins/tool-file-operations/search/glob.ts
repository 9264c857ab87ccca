import { ToolError, type ToolContext } from "@pergola/sdk";
import { globSource } from "./glob-source.ts";

const longest = 256;
const wildcards = /[*?[{]/;

/** A glob, ready to be asked about paths that are relative to the searched folder. */
export interface Glob {
  readonly text: string;
  /** No wildcard in it: one name or path. */
  readonly isLiteral: boolean;
  /** Its last segment says more than "any file": binary files that match are meant too. */
  readonly namesFiles: boolean;
  readonly matches: (path: string) => boolean;
  /**
   * Whether a segment of the glob spells this file or folder name out, so that the search may look at it
   * although it is ignored.
   */
  readonly names: (name: string) => boolean;
}

/**
 * Compiles a glob for a search in a folder; an absolute one below the folder means the same as a relative
 * one.
 */
export async function globIn(context: ToolContext, directory: string, glob: string): Promise<Glob> {
  const { real } = await context.files.resolve(directory);
  return compileGlob(glob.startsWith(`${real}/`) ? glob.slice(real.length + 1) : glob);
}

/**
 * Compiles a glob. Without a slash it is matched against file names at any depth; a slash at the end means
 * everything below. Throws ToolError `invalid_value` above 256 characters or when a character class is wrong.
 */
export async function compileGlob(glob: string): Promise<Glob> {
  if (glob.length > longest)
    throw new ToolError("invalid_value", `The glob is longer than ${longest} characters.`, {
      hint: "Use a shorter glob.",
    });
  const text = glob.replace(/^(\.?\/)+/, "").replace(/\/$/, "/**");
  const segments = new Set(text.split("/").filter((segment) => !wildcards.test(segment)));
  const { RE2JS } = await import("re2js");
  const anywhere = text.includes("/") ? "" : "(?:.*/)?";
  try {
    const expression = RE2JS.compile(`^${anywhere}(?:${globSource(text, { braces: true })})$`, RE2JS.DOTALL);
    return {
      text,
      isLiteral: !wildcards.test(text),
      namesFiles: /[^*?.[\]{},!]/.test(text.slice(text.lastIndexOf("/") + 1)),
      matches: (path) => expression.test(path),
      names: (name) => segments.has(name),
    };
  } catch (cause) {
    throw new ToolError("invalid_value", `${glob} is not a glob.`, {
      hint: "Examples: *.ts, src/**/*.{js,ts}, docs/[a-c]*.md.",
      cause,
    });
  }
}
