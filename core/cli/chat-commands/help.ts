import { printWrapped } from "../print-result.ts";
import { styled } from "../visible.ts";
import type { ChatCommand } from "./chat-command.ts";

const keys = `
Ctrl-C stops an answer, or clears what you are writing; on an empty line it quits, as Ctrl-D does.
The arrow keys bring earlier lines back, of earlier chats as well, and Tab completes a command.
A backslash at the end of a line goes on in the next; what you paste keeps its lines.
Everything else that you write goes to the model.`;

export const help = (others: readonly ChatCommand[]): ChatCommand => ({
  names: ["help", ""],
  summary: "show this list",
  async run() {
    const all = [this, ...others];
    const lines = all.map(({ names: [name, ...more], usage = "", summary }) => {
      const aliases = more.filter(Boolean).map((one) => `/${one}`);
      const also = aliases.length > 0 ? styled("dim", ` (also ${aliases.join(", ")})`) : "";
      return `  ${`/${name} ${usage}`.padEnd(20)}${summary}${also}`;
    });
    printWrapped([...lines, keys]);
    return undefined;
  },
});
