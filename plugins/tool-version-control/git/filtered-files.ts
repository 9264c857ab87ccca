import { ToolError } from "@pergola/sdk";
import { filteredFileIn } from "./attribute-filters.ts";
import type { Repository } from "./repository.ts";

const refusal = (file: string, advice: string): ToolError =>
  new ToolError(
    "unavailable",
    `${file} passes through a filter, such as Git LFS or git-crypt, which is not run here.`,
    { hint: `Without it wrong content would be written. ${advice}` },
  );

const byPerson = "Ask the person to do this with git itself.";

/**
 * Refuses to rewrite the working tree of a repository whose files need a filter to be written, or with those
 * of commits whose files do.
 */
export async function requireNoFilters(repository: Repository, ...targets: readonly string[]): Promise<void> {
  const spec = [".", ":(exclude,attr:!filter)", ":(exclude,attr:-filter)"];
  const output = await repository.run(["ls-files", "-z", "--", ...spec], { literal: false, mayBeCut: true });
  const [file = ""] = output.split("\0");
  if (file !== "") throw refusal(file, byPerson);
  for (const target of targets) {
    const tree = await repository.find(`${target}^{tree}`);
    const filtered = tree && (await filteredFileIn(repository, tree));
    if (filtered) throw refusal(filtered, byPerson);
  }
}

/** The same for files that are about to be committed. */
export async function requireUnfiltered(repository: Repository, files: readonly string[]): Promise<void> {
  const output = await repository.run(["check-attr", "-z", "--stdin", "filter"], {
    input: files.map((file) => `${file}\0`).join(""),
  });
  const parts = output.split("\0");
  const at = parts.findIndex(
    (value, index) => index % 3 === 2 && value !== "unspecified" && value !== "unset",
  );
  if (at >= 0)
    throw refusal(
      parts[at - 2] ?? "",
      "Set run_hooks to true to let the repository's filters and hooks run; the person is asked.",
    );
}
