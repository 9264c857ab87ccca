import { existsSync, readdirSync, realpathSync } from "node:fs";
import { homedir } from "node:os";
import { isBelow } from "@pergola/sdk";

const namesIn = (folder: string): readonly string[] => {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
};

/** The existing files that a path such as `~/.cargo/credentials*` means; `*` stands for a part of a name. */
function matches(pattern: string): readonly string[] {
  const [first = "", ...steps] = pattern.replace(/^~(?=\/|$)/, homedir()).split("/");
  return steps.reduce<readonly string[]>(
    (folders, step) => folders.flatMap((folder) => below(folder, step)),
    [first],
  );
}

function below(folder: string, step: string): readonly string[] {
  if (!step.includes("*")) return existsSync(`${folder}/${step}`) ? [`${folder}/${step}`] : [];
  const source = step.replaceAll(/[.+?^${}()|[\]\\]/g, "\\$&").replaceAll("*", ".*");
  const fits = new RegExp(`^${source}$`);
  return namesIn(folder || "/")
    .filter((name) => fits.test(name))
    .map((name) => `${folder}/${name}`);
}

/**
 * What a sandboxed program does not see, though it lies in a folder that it is given: the service's own data,
 * and stores of credentials, which only a person's yes opens.
 */
export function hiddenPlaces(
  given: readonly string[],
  dataDirectory: string,
  credentials: readonly string[],
): readonly string[] {
  const files = [dataDirectory, ...credentials.flatMap(matches)].filter((file) => existsSync(file));
  const real = files.map((file) => realpathSync(file));
  const isInside = (file: string): boolean =>
    given.some((folder) => folder !== file && isBelow(folder, file));
  return [...new Set(real.filter(isInside))].sort();
}
