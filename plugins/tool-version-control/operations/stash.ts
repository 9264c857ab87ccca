import { defineOperation } from "@pergola/sdk";
import { actions, type ActionEffects, type ActionTable } from "../actions.ts";
import { gitDisplay } from "../git-display.ts";
import { requireNoFilters } from "../git/filtered-files.ts";
import { option } from "../git/names.ts";
import { action, message, repositoryPath } from "../parameters.ts";
import { conflictIn } from "../read/conflict-in.ts";

const effects: ActionEffects = {
  list: "read",
  save: "write",
  apply: "write",
  drop: "destructive",
  clear: "destructive",
};
const entry = (index = 0): string => `stash@{${index}}`;

const table: ActionTable = {
  list: async (repository) =>
    (await repository.run(["stash", "list", "--no-show-signature", "--format=%gd: %gs"])).trimEnd(),
  save: async (repository, { message: text }) => {
    await requireNoFilters(repository);
    return repository.report(["stash", "push", ...option("--message", text)]);
  },
  apply: async (repository, { index }) => {
    const stash = entry(index);
    await requireNoFilters(repository, stash);
    const result = await repository.attempt(["stash", "apply", "--quiet", stash]);
    if (result.exitCode === 0) return `Applied ${stash}; it is kept.`;
    throw await conflictIn(repository, result, "Edit these files. The stash is kept.");
  },
  drop: (repository, { index }) => repository.report(["stash", "drop", entry(index)]),
  clear: async (repository) => {
    await repository.run(["stash", "clear"]);
    return "Removed all stashes.";
  },
};

export const stash = defineOperation({
  name: "stash",
  description: "Put changes of tracked files aside, and bring them back.",
  aliases: ["git_stash"],
  ...actions(effects, table),
  parameters: {
    repository_path: repositoryPath,
    action,
    message,
    index: {
      type: "integer",
      minimum: 0,
      maximum: 10_000,
      default: 0,
      description: "Which stash",
    },
  },
  display: ({ action: chosen }) => gitDisplay("Stash", chosen),
  examples: [
    { say: "list my stashes", arguments: {} },
    { say: "stash my changes as half done", arguments: { action: "save", message: "half done" } },
    { say: "bring back the last stash", arguments: { action: "apply" } },
    { say: "drop stash 2", arguments: { action: "drop", index: 2 } },
    { say: "stash my work", arguments: { action: "save" } },
    { say: "put my changes aside", arguments: { action: "save" } },
    { say: "restore my last stash", arguments: { action: "apply" } },
    { say: "save a stash as halfway", arguments: { action: "save", message: "halfway" } },
    { say: "which stashes are there?", arguments: {} },
    { say: "stash what I changed", arguments: { action: "save" } },
    { say: "put everything in a stash", arguments: { action: "save" } },
    { say: "stash the changes as half done", arguments: { action: "save", message: "half done" } },
    { say: "apply the newest stash", arguments: { action: "apply" } },
    { say: "clear all stashes", arguments: { action: "clear" } },
    { say: "put my changes in a stash", arguments: { action: "save" } },
    { say: "stash my edits as experiment", arguments: { action: "save", message: "experiment" } },
    { say: "stash as spare", arguments: { action: "save", message: "spare" } },
  ],
});
