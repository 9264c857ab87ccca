import type { Conversation } from "@pergola/sdk";
import type { ActiveRun, Parts } from "@pergola/sdk/host";
import { titleFrom, titleOf } from "./title.ts";

const isUntitled = ({ title, titleSetBy }: Conversation): boolean =>
  title.startsWith("New Conversation") && titleSetBy !== "user";

/** Clashing titles get ` (n)`. */
export async function freeTitle({ stores }: Parts, title: string): Promise<string> {
  const { conversations } = stores;
  const exists = async (title: string): Promise<boolean> => (await conversations.count({ title })) > 0;
  if (!(await exists(title))) return title;
  const stem = title.replace(/ \(\d+\)$/, "");
  const numbered = { gte: `${stem} (`, lt: `${stem} )` };
  let n = 2 + (await conversations.count({ title: numbered }));
  while (await exists(`${stem} (${n})`)) n++;
  return `${stem} (${n})`;
}

/** Takes the title in a model's marker, unless the person has set one. */
export async function setTitleFromMarker(parts: Parts, run: ActiveRun, marker: string): Promise<void> {
  const title = titleOf(marker);
  if (title !== undefined && isUntitled(parts.conversations.active(run.conversationId)))
    await setTitle(parts, run, title, "model");
}

/** Without a title from the model or the person, the first user message gives one. */
export async function setTitleAtEnd(parts: Parts, run: ActiveRun): Promise<void> {
  const conversation = parts.conversations.active(run.conversationId);
  if (conversation.titleSetBy !== "default" || !isUntitled(conversation)) return;
  const title = titleFrom(await firstUserText(parts, run));
  if (title !== "") await setTitle(parts, run, title, "service");
}

async function firstUserText({ conversations }: Parts, run: ActiveRun): Promise<string> {
  const isUsers = ({ role }: { readonly role: string }): boolean => role === "user";
  const first =
    run.request.messages.find(isUsers) ??
    (await conversations.messages(run.conversationId, { limit: 10 })).find(isUsers);
  const content = first?.content ?? "";
  if (typeof content === "string") return content;
  const texts = content.filter((part) => part.type === "text");
  return texts.map(({ text }) => text).join(" ");
}

/** Numbers a title that is taken, and tells the client. */
async function setTitle(
  parts: Parts,
  run: ActiveRun,
  newTitle: string,
  titleSetBy: "model" | "service",
): Promise<void> {
  const title = await freeTitle(parts, newTitle);
  if (parts.conversations.active(run.conversationId).titleSetBy === "user") return;
  run.emit({ type: "title", title });
  run.store({}, [parts.conversations.set(run.conversationId, { title, titleSetBy })]);
}
