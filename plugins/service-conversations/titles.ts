import type { CompletionReason, Conversation } from "@pergola/sdk";
import type { ActiveRun, Parts } from "@pergola/sdk/host";
import { titleFrom, titleOf } from "./title.ts";

const untitled = ({ title, titleSetBy }: Conversation): boolean =>
  title.startsWith("New Conversation") && titleSetBy !== "user";

/** Clashing titles get ` (n)`. */
export async function freeTitle({ stores }: Parts, title: string): Promise<string> {
  const { conversations } = stores;
  const count = (wanted: string | { readonly gte: string; readonly lt: string }): Promise<number> =>
    conversations.count({ title: wanted });
  const stem = title.replace(/ \(\d+\)$/, "");
  const [taken, numbered] = await Promise.all([count(title), count({ gte: `${stem} (`, lt: `${stem} )` })]);
  if (taken === 0) return title;
  let n = 2 + numbered;
  while ((await count(`${stem} (${n})`)) > 0) n++;
  return `${stem} (${n})`;
}

export async function entitle(parts: Parts, run: ActiveRun, marker: string): Promise<void> {
  const title = titleOf(marker);
  if (title !== undefined && untitled(parts.conversations.held(run.conversationId)))
    await setTitle(parts, run, title, "model");
}

export async function entitleAtEnd(parts: Parts, run: ActiveRun, reason: CompletionReason): Promise<void> {
  const held = parts.conversations.held(run.conversationId);
  if (held.titleSetBy !== "default" || !untitled(held) || reason === "cancelled") return;
  const isUsers = ({ role }: { readonly role: string }): boolean => role === "user";
  const stored = run.request.messages.some(isUsers)
    ? []
    : await parts.conversations.messages(run.conversationId, { limit: 10 });
  const said = [...run.request.messages, ...stored].find(isUsers)?.content ?? "";
  const wanted = titleFrom(
    typeof said === "string" ? said : said.map((part) => (part.type === "text" ? part.text : "")).join(" "),
  );
  if (wanted !== "") await setTitle(parts, run, wanted, "service");
}

/** Clashes get a number; the client hears of it. */
async function setTitle(
  parts: Parts,
  run: ActiveRun,
  wanted: string,
  titleSetBy: "model" | "service",
): Promise<void> {
  const title = await freeTitle(parts, wanted);
  if (parts.conversations.held(run.conversationId).titleSetBy === "user") return;
  run.emit({ type: "title", title });
  run.store({}, [parts.conversations.set(run.conversationId, { title, titleSetBy })]);
}
