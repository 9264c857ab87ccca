import { defineOperation, ToolError } from "@pergola/sdk";
import { gitDisplay } from "../git-display.ts";
import { findFiles } from "../git/find-file.ts";
import { findRef } from "../git/find-ref.ts";
import { openRepository } from "../git/open-repository.ts";
import { outputLimit } from "../git/repository.ts";
import { file, repositoryPath } from "../parameters.ts";

const options = [
  "--no-ext-diff",
  "--no-textconv",
  "--no-color",
  "--ignore-submodules=dirty",
  "--submodule=short",
  "--patch",
  "--src-prefix=a/",
  "--dst-prefix=b/",
  "--no-relative",
];

export const diff = defineOperation({
  name: "diff",
  description: "Changes not staged; ref1 to the working tree; or ref1 to ref2.",
  aliases: ["git_diff"],
  effect: "read",
  parameters: {
    repository_path: repositoryPath,
    ref1: { type: "string", minLength: 1, description: "Commit, branch or tag" },
    ref2: { type: "string", minLength: 1 },
    file,
  },
  display: ({ ref1, ref2, file: one }) => gitDisplay("Compare", ref1, ref2, one),
  examples: [
    { say: "git diff", arguments: {} },
    { say: "what did I change since HEAD?", arguments: { ref1: "HEAD" } },
    { say: "compare main with feature", arguments: { ref1: "main", ref2: "feature" } },
    { say: "show the changes in notes.md", arguments: { file: "notes.md" } },
    { say: "what did I change in notes.md?", arguments: { file: "notes.md" } },
    { say: "diff of notes.md", arguments: { file: "notes.md" } },
    { say: "what is different between main and feature?", arguments: { ref1: "main", ref2: "feature" } },
    { say: "what changed in notes.md?", arguments: { file: "notes.md" } },
    { say: "git diff HEAD", arguments: { ref1: "HEAD" } },
    { say: "show the differences in notes.md", arguments: { file: "notes.md" } },
    { say: "diff between main and feature", arguments: { ref1: "main", ref2: "feature" } },
  ],
  async run({ repository_path: folder, ref1, ref2, file: one }, context) {
    if (ref1 === undefined && ref2 !== undefined)
      throw new ToolError("insufficient_params", "ref2 was given without ref1.", {
        hint: "Give both, or ref1 alone.",
      });
    const repository = await openRepository(context, folder);
    const refs = await Promise.all(
      [ref1, ref2].filter((ref) => ref !== undefined).map((ref) => findRef(repository, ref)),
    );
    const paths = await findFiles(context, repository, one);
    const args = ["diff", ...options, ...refs, "--", ...paths];
    const text = await repository.run(args, { mayBeCut: true });
    return { data: text, message: messageOf(text, ref1 === undefined) };
  },
});

function messageOf(text: string, isUnstagedOnly: boolean): string {
  if (Buffer.byteLength(text) >= outputLimit) return "Only the beginning: ask about one file.";
  if (text !== "") return "ok";
  if (isUnstagedOnly) return "No differences; what is staged is shown with ref1 HEAD.";
  return "No differences.";
}
