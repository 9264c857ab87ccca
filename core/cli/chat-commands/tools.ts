import { printNote } from "../print-result.ts";
import { listTools } from "../tools.ts";
import type { ChatCommand } from "./chat-command.ts";

export const tools: ChatCommand = {
  names: ["tools"],
  summary: "list the tools that the model can use",
  async run({ service }) {
    await listTools(service, { brief: true });
    printNote("To turn one on or off: pergola settings set tools.disabled <the names of all that are off>");
    return undefined;
  },
};
