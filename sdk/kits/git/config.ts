/**
 * One line of git's configuration: where it comes from, its key (section and name in lower case) and its
 * value.
 */
export interface ConfigEntry {
  readonly scope: string;
  readonly key: string;
  readonly value: string;
}

/**
 * What lists a configuration so that `parseConfig` can read it. It runs nothing that the configuration names.
 */
export const listConfig = ["config", "--list", "--show-scope", "--includes", "-z"];

/** Reads `scope NUL key LF value NUL` …; a key without a value means true. */
export function parseConfig(output: string): readonly ConfigEntry[] {
  const entries = output.matchAll(/([^\0]*)\0([^\0\n]*)(?:\n([^\0]*))?\0/g);
  return Array.from(entries, ([, scope = "", key = "", value = "true"]) => ({ scope, key, value }));
}

/** The last value of a key, which is the one in force. */
export const configValue = (config: readonly ConfigEntry[], key: string): string | undefined =>
  config.findLast((entry) => entry.key === key)?.value;
