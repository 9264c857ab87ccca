import { workingDirectoryOf } from "../stream-turn.ts";
import { printWrapped, printNote } from "../print-result.ts";
import { visible } from "../visible.ts";
import type { ChatCommand, ChatSession } from "./chat-command.ts";

interface Listed {
  readonly skills: readonly { readonly name: string; readonly description: string }[];
  readonly warnings: readonly string[];
}

/** The skills where the chat works; none of a service without any. */
async function listed({ service, options }: Pick<ChatSession, "service" | "options">): Promise<Listed> {
  const folder = workingDirectoryOf(options);
  const query = folder === undefined ? "" : `?workingDirectory=${encodeURIComponent(folder)}`;
  return service.get<Listed>(`/api/skills${query}`).catch(() => ({ skills: [], warnings: [] }));
}

/** Their names, which are commands too: the message goes to the model, and the skill with it. */
export async function skillNames(
  session: Pick<ChatSession, "service" | "options">,
): Promise<readonly string[]> {
  const { skills: found } = await listed(session);
  return found.map(({ name }) => name);
}

export const skills: ChatCommand = {
  names: ["skills"],
  summary: "list the skills; / and the name of one calls it",
  async run(session) {
    const { skills: found, warnings } = await listed(session);
    const lines = found.map(({ name, description }) => `/${name}  ${visible(description)}`);
    printWrapped(lines.length > 0 ? lines : ["There are no skills here."]);
    warnings.forEach(printNote);
    return undefined;
  },
};
