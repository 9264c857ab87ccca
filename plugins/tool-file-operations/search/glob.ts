import path from "node:path";
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
 * one. One that begins with a slash means the searched folder's own top where that has such an entry. Throws
 * ToolError `invalid_value` for a glob that leads elsewhere: nothing there is searched.
 */
export async function globIn(context: ToolContext, directory: string, glob: string): Promise<Glob> {
  const { real } = await context.files.resolve(directory);
  const whole = /^~(\/|$)/.test(glob) ? (await context.files.resolve("~")).real + glob.slice(1) : glob;
  const folders = [real, path.resolve(context.workingDirectory, directory)];
  const inside = folders.find((folder) => `${whole}/`.startsWith(prefixOf(folder)));
  if (inside !== undefined) return compileGlob(whole.slice(prefixOf(inside).length) || "**");
  const [top = ""] = whole.split("/").filter((segment) => segment !== "" && segment !== ".");
  const leads = top === ".." || (whole.startsWith("/") && !(await hasEntry(context, real, top)));
  if (leads) throw leadsElsewhere(whole);
  return compileGlob(whole);
}

const prefixOf = (folder: string): string => (folder.endsWith("/") ? folder : `${folder}/`);

const hasEntry = async ({ files }: ToolContext, folder: string, name: string): Promise<boolean> =>
  wildcards.test(name) || (await files.stat(path.join(folder, name))) !== undefined;

/** The folders that a glob spells out become the hint's folder. */
function leadsElsewhere(glob: string): ToolError {
  const segments = glob.replace(/\/$/, "/**").split("/");
  const wild = segments.findIndex((segment) => wildcards.test(segment));
  const count = wild < 0 ? segments.length - 1 : wild;
  const folder = segments.slice(0, count).join("/") || "/";
  return new ToolError("invalid_value", `${glob} lies outside the folder that is searched.`, {
    hint: `Search there: directory "${folder}" with the glob "${segments.slice(count).join("/")}".`,
  });
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
