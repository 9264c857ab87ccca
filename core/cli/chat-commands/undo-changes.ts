import { undo } from "../undo.ts";
import type { ChatCommand } from "./chat-command.ts";

export const undoChanges: ChatCommand = {
  names: ["undo"],
  usage: "[run]",
  summary: "take back the last changes to files, after showing them",
  async run({ service, options }, words) {
    await undo(service, words || undefined, options);
    return undefined;
  },
};
