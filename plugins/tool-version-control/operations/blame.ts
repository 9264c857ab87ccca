import { countOf, defineOperation } from "@pergola/sdk";
import { gitDisplay } from "../git-display.ts";
import { findFile } from "../git/find-file.ts";
import { openRepository } from "../git/open-repository.ts";
import { file, repositoryPath } from "../parameters.ts";
import { parseBlame } from "../read/parse-blame.ts";

export const blame = defineOperation({
  name: "blame",
  description: "Who last changed each line of a file.",
  aliases: ["git_blame"],
  effect: "read",
  hidden: true,
  parameters: { repository_path: repositoryPath, file },
  required: ["file"],
  display: ({ file: one }) => gitDisplay("Read authors", one),
  async run({ repository_path: folder, file: one }, context) {
    const repository = await openRepository(context, folder);
    const path = await findFile(context, repository, one);
    const lines = parseBlame(
      await repository.run(["blame", "--line-porcelain", "--no-textconv", "--", path]),
    );
    return { data: lines, message: `${countOf(lines.length, "line")}.` };
  },
});
