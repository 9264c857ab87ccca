import { parse } from "yaml";

/** A line `key: value` whose value has a colon and no quotes, which is no YAML. */
const unquoted = /^([\w-]+):[ \t]+(?!["'|>&*!{[])(.*:.*)$/gm;

/** Parses YAML; values that only lack their quotes get them. Throws for what is none. */
export function parseYaml(text: string): unknown {
  try {
    return parse(text);
  } catch {
    const quoted = text.replaceAll(
      unquoted,
      (_, key: string, value: string) => `${key}: ${JSON.stringify(value.trim())}`,
    );
    return parse(quoted);
  }
}
