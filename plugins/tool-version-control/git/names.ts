import { ToolError } from "@pergola/sdk";

/** An option with its value; none without a value. */
export function option(name: string, value: string | undefined): readonly string[] {
  if (value === undefined) return [];
  return [`${name}=${value}`];
}

/** Refuses what git would take for an option. */
export function requireNoOption(value: string, what: string): string {
  if (!value.startsWith("-")) return value;
  throw new ToolError("invalid_value", `${what} must not begin with "-".`, { hint: "Give a plain name." });
}

/** The rules of git-check-ref-format(1), and no `-` at the beginning. */
const malformed = /^-|^@$|^$|\.\.|@\{|\/\/|[\0-\x20\x7f~^:?*[\\]|(^|\/)\.|\.lock(\/|$)|[/.]$|^\//;

/** Checks the name of a branch or a tag. */
export function requireName(name: string | undefined, what: string): string {
  if (name === undefined || name === "")
    throw new ToolError("missing_required", `The name of the ${what} is missing.`, {
      hint: "Give it as name.",
    });
  if (!malformed.test(name)) return name;
  throw new ToolError("invalid_value", `"${name}" cannot be the name of a ${what}.`, {
    hint: "Use letters, digits, -, _, . and /, and no - at the beginning.",
  });
}
