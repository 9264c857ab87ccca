import { ToolError } from "@pergola/sdk";

const word = /^[\p{L}\p{N}\p{M}_$]+[?!=]?$/u;
const dashedWord = /^-*[\p{L}\p{N}\p{M}_$][\p{L}\p{N}\p{M}_$-]*$/u;

/**
 * The last name of a path of names, without the marks around it: `name` of `Class.name`, `module::name`,
 * `$object->name`, `@name`, `name()`. With `allowDashes` also names as CSS, shells and Lisps have them:
 * `btn-primary`. Throws ToolError `invalid_value` when nothing is left, or more than one word.
 */
export function symbolName(path: string, { allowDashes = false } = {}): string {
  const parts = path.trim().split(/\.|::|->|#|\\|\//);
  const name = parts.at(-1)?.replace(/^[$@:&*~]+|(<.*>)?(\(\))?;?$/g, "") ?? "";
  if (word.test(name) || (allowDashes && dashedWord.test(name))) return name;
  throw new ToolError("invalid_value", `"${path}" is not the name of a symbol.`, {
    hint: "Give one name, such as parseConfig or Parser.read.",
  });
}
