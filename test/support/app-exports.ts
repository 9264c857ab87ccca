import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";

/** A conversation as every app would export it: a question and its answer. */
export interface ExportedChat {
  readonly id: string;
  readonly title: string;
  readonly question: string;
  readonly answer: string;
}

const begun = 1_700_000_000;
const chatsOf = (app: string, count: number): readonly ExportedChat[] =>
  Array.from({ length: count }, (_, index) => ({
    id: `${app}-${index}`,
    title: `${app} ${index}`,
    question: `Question ${index} of ${app}`,
    answer: `Answer ${index} of ${app}`,
  }));

function chatGptOf({ id, title, question, answer }: ExportedChat): object {
  const node = (name: string, parent: string | null, role: string, text: string) => ({
    id: name,
    parent,
    children: name === "q" ? ["a"] : [],
    message: { author: { role }, content: { content_type: "text", parts: [text] } },
  });
  const mapping = { q: node("q", null, "user", question), a: node("a", "q", "assistant", answer) };
  return { conversation_id: id, title, create_time: begun, current_node: "a", mapping };
}

const claudeOf = ({ id, title, question, answer }: ExportedChat): object => ({
  uuid: id,
  name: title,
  chat_messages: [
    { uuid: "q", sender: "human", text: question },
    { uuid: "a", sender: "assistant", text: answer },
  ],
});

function openWebUiOf({ id, title, question, answer }: ExportedChat): object {
  const messages = {
    q: { id: "q", parentId: null, childrenIds: ["a"], role: "user", content: question },
    a: { id: "a", parentId: "q", childrenIds: [], role: "assistant", content: answer },
  };
  return { id, title, created_at: begun, chat: { title, history: { currentId: "a", messages } } };
}

function lmStudioOf({ title, question, answer }: ExportedChat): object {
  const message = (role: string, text: string) => ({
    currentlySelected: 0,
    versions: [{ type: "singleStep", role, content: [{ type: "text", text }] }],
  });
  const messages = [message("user", question), message("assistant", answer)];
  return { name: title, createdAt: begun * 1000, messages };
}

function janOf({ id, title, question, answer }: ExportedChat): Readonly<Record<string, string>> {
  const message = (role: string, value: string): string =>
    JSON.stringify({
      object: "thread.message",
      thread_id: id,
      role,
      content: [{ type: "text", text: { value } }],
    });
  return {
    "thread.json": JSON.stringify({ object: "thread", id, title, created: begun }),
    "messages.jsonl": `${message("user", question)}\n${message("assistant", answer)}\n`,
  };
}

/** Writes exports of all apps that are known into a folder, with so many conversations of each. */
export function writeExports(folder: string, count: number): readonly ExportedChat[] {
  const write = (name: string, text: string): void => {
    const file = path.join(folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  };
  const lists = { chatgpt: chatGptOf, claude: claudeOf, "open-webui": openWebUiOf };
  for (const [app, form] of Object.entries(lists))
    write(`${app}.json`, JSON.stringify(chatsOf(app, count).map(form)));
  for (const chat of chatsOf("lm-studio", count))
    write(`lm-studio/${chat.id}.conversation.json`, JSON.stringify(lmStudioOf(chat)));
  for (const chat of chatsOf("jan", count))
    for (const [name, text] of Object.entries(janOf(chat))) write(`threads/${chat.id}/${name}`, text);
  return [...Object.keys(lists), "lm-studio", "jan"].flatMap((app) => chatsOf(app, count));
}
