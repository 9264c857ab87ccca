/*
 * Operations are offered to a model as one function with the union of their parameters: what several share
 * is described here once.
 */

export const repositoryPath = {
  type: "string",
  format: "path",
  minLength: 1,
  default: ".",
  aliases: ["path"],
  description: "Folder of the repository",
} as const;

export const file = {
  type: "string",
  format: "path",
  minLength: 1,
  description: "Only this file or folder",
} as const;

export const remote = { type: "string", minLength: 1, default: "origin" } as const;

export const branchName = { type: "string", minLength: 1, description: "Default: the current one" } as const;

export const name = { type: "string", description: "Name of the branch or tag" } as const;

export const message = { type: "string", maxLength: 30_000 } as const;

const actions = ["list", "create", "delete", "switch", "save", "apply", "drop", "clear"] as const;

export type Action = (typeof actions)[number];

/** One enumeration for all operations, since they are offered as one. */
export const action = {
  type: "string",
  enum: actions,
  default: "list",
  description:
    "branch: list, create, delete, switch; stash: list, save, apply, drop, clear; tag: list, create, delete",
} as const;
