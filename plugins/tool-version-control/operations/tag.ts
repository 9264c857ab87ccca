import { defineOperation } from "@pergola/sdk";
import { actions, type ActionEffects, type ActionTable } from "../actions.ts";
import { gitDisplay } from "../git-display.ts";
import { findRef } from "../git/find-ref.ts";
import { requireName } from "../git/names.ts";
import { action, message, name, repositoryPath } from "../parameters.ts";

const effects: ActionEffects = { list: "read", create: "write", delete: "destructive" };
const format = "--format=%(refname:short) %(objectname:short) %(contents:subject)";

const table: ActionTable = {
  list: async (repository) =>
    (await repository.run(["for-each-ref", "--sort=version:refname", format, "refs/tags"])).trimEnd(),
  create: async (repository, { name: newTag, message: text, ref = "HEAD" }) => {
    const tagName = requireName(newTag, "tag");
    const options = ["--no-sign"];
    if (text !== undefined) options.push("--annotate", `--message=${text}`, "--cleanup=whitespace");
    await repository.run(["tag", ...options, "--", tagName, await findRef(repository, ref)]);
    return `Created ${tagName}.`;
  },
  delete: (repository, { name: tagName }) =>
    repository.report(["tag", "--delete", "--", requireName(tagName, "tag")]),
};

export const tag = defineOperation({
  name: "tag",
  description: "List, create or delete tags.",
  aliases: ["git_tag"],
  ...actions(effects, table),
  parameters: {
    repository_path: repositoryPath,
    action,
    name,
    message,
    ref: { type: "string", minLength: 1, description: "What to tag; default HEAD" },
  },
  display: ({ action: chosen, name: tagName }) => gitDisplay("Tag", chosen, tagName),
  examples: [
    { say: "list the tags", arguments: {} },
    { say: "tag this commit as v1.0", arguments: { action: "create", name: "v1.0" } },
    {
      say: "tag main as v2.0 with the note Second release",
      arguments: {
        action: "create",
        name: "v2.0",
        ref: "main",
        message: "Second release",
      },
    },
    { say: "delete the tag v0.9", arguments: { action: "delete", name: "v0.9" } },
    { say: "create the tag v5.0", arguments: { action: "create", name: "v5.0" } },
    { say: "make a tag v1.2", arguments: { action: "create", name: "v1.2" } },
    { say: "which tags do we have?", arguments: {} },
    { say: "create a tag called v6", arguments: { action: "create", name: "v6" } },
    { say: "tag HEAD as v2.1", arguments: { action: "create", name: "v2.1" } },
    { say: "show the tags", arguments: {} },
    { say: "tag the newest commit as v3.3", arguments: { action: "create", name: "v3.3" } },
    { say: "remove tag v0.8", arguments: { action: "delete", name: "v0.8" } },
    { say: "tag the commit as v4.0", arguments: { action: "create", name: "v4.0" } },
  ],
});
