import { ToolError } from "@pergola/sdk";

/**
 * The last name of a path of names, without the marks around it: `name` of `Class.name`, `module::name`,
 * `$object->name`, `@name`, `name()`. Throws ToolError `invalid_value` when nothing is left, or more than one
 * word.
 */
export function symbolName(given: string): string {
  const last =
    given
      .trim()
      .split(/\.|::|->|#|\\|\//)
      .at(-1) ?? "";
  const name = last.replace(/^[$@:&*~]+|(<.*>)?(\(\))?;?$/g, "");
  if (/^[\p{L}\p{N}\p{M}_$]+[?!=]?$/u.test(name)) return name;
  throw new ToolError("invalid_value", `"${given}" is not the name of a symbol.`, {
    hint: "Give one name, such as parseConfig or Parser.read.",
  });
}
