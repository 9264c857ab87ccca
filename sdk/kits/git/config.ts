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
  const parts = output.split("\0").slice(0, -1);
  const pairs = Array.from({ length: Math.floor(parts.length / 2) }, (_, index) => [
    parts[2 * index] ?? "",
    parts[2 * index + 1] ?? "",
  ]);
  return pairs.map(([scope = "", line = ""]) => {
    const end = line.indexOf("\n");
    return end < 0
      ? { scope, key: line, value: "true" }
      : { scope, key: line.slice(0, end), value: line.slice(end + 1) };
  });
}

/** The last value of a key, which is the one in force. */
export const configValue = (config: readonly ConfigEntry[], key: string): string | undefined =>
  config.findLast((entry) => entry.key === key)?.value;
