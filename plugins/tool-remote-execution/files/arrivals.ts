import { ToolError, type TouchedPath } from "@pergola/sdk";
import { lastName } from "./names.ts";

/**
 * The names under which output files arrive. Throws `invalid_value` for a path without a name and for a name
 * that occurs twice.
 */
export function arrivalNames(files: readonly string[]): readonly string[] {
  const names = files.map((file) => lastName(file));
  const wrong = files.find((_, index) => names[index] === undefined || names.indexOf(names[index]) !== index);
  if (wrong === undefined) return names as readonly string[];
  throw new ToolError("invalid_value", `"${wrong}" has no file name of its own.`, {
    hint: "Name files or folders whose last parts differ; they arrive under these.",
  });
}

/** The paths here that arriving files write, for the policy. */
export const arrivalTouches = (files: readonly string[], folder = "."): readonly TouchedPath[] =>
  files
    .map(lastName)
    .filter((name) => name !== undefined)
    .map((name) => ({ path: `${folder}/${name}`, effect: "write" }));
