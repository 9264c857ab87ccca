import { readFileSync } from "node:fs";
import path from "node:path";
import { isDeepStrictEqual } from "node:util";
import { isObject, type CheckedPath, type PendingCall } from "@pergola/sdk";

/** Tells whether a call changes, in a file of JSON, a key that other programs execute or trust. */
export type ProtectedKeys = (file: CheckedPath, call: Given) => boolean;

type Given = Pick<PendingCall, "operation" | "arguments">;

/** Operations whose `content` is all that the file holds afterwards. */
const whole: ReadonlySet<string> = new Set(["create_file", "write_file"]);

/** An entry of the list of names such as `package.json#scripts`: a file's name, and a key in it. */
export const isKeyEntry = (entry: string): boolean => entry.includes("#");

/**
 * The keys of a list of names. A change that cannot be told from the call's arguments counts as one of the
 * key.
 */
export function protectedKeys(list: readonly string[]): ProtectedKeys {
  const entries = list.filter(isKeyEntry).map((entry) => entry.split("#") as [name: string, key: string]);
  return ({ real }, call) =>
    entries.some(([name, key]) => {
      if (path.basename(real).toLowerCase() !== name.toLowerCase()) return false;
      const before = textOf(real);
      const texts = textsAfter(before, call);
      return texts.length === 0 || texts.some((after) => !isSame(key, before, after));
    });
}

function textOf(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "{}";
  }
}

/** What the file may hold afterwards; empty where the arguments do not tell. */
function textsAfter(before: string, { operation, arguments: given }: Given): readonly string[] {
  const { content, oldString, newString } = given;
  if (whole.has(operation)) return typeof content === "string" ? [content] : [];
  if (typeof oldString !== "string" || typeof newString !== "string") return [];
  if (oldString === "" || !before.includes(oldString)) return [];
  return [before.replace(oldString, () => newString), before.replaceAll(oldString, () => newString)];
}

function isSame(key: string, before: string, after: string): boolean {
  const [old, next] = [before, after].map((text) => {
    const value = jsonOf(text);
    return isObject(value) ? (value[key] ?? {}) : undefined;
  });
  return next !== undefined && isDeepStrictEqual(old, next);
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
