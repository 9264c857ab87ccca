import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Page } from "playwright-core";
import { jsonReply, mockProviderServer, temporaryFolder, type MockScript } from "@pergola/sdk/testing";
import { compactPng } from "./compact-png.ts";
import { turns, type PageScene, type SceneOptions } from "./page-scene.ts";

/** The window of the pictures, in pixels of the page; each of these is `scale` pixels of the picture. */
export const frame = { width: 1120, height: 864, scale: 1.25 } as const;

const trains = {
  old: "- Train: Friday, 3 May, 8:25 from Vienna\n- Hotel: two nights from 3 May",
  new: "- Train: Saturday, 4 May, 8:25 from Vienna\n- Hotel: one night from 4 May",
} as const;
const notes = `# Trip to Graz

${trains.old}, near the Murinsel
- Concert: Saturday, 4 May, 19:30
- Back home: Sunday, 5 May, 17:26
`;

/** Conversations as they are imported, with what is remembered of each; the newest first. */
const conversations = [
  {
    title: "Trip to Graz",
    updated: "2026-04-30T14:02:00Z",
    messages: [
      { role: "user", content: "When does the concert begin?", timestamp: "2026-04-30T14:02:00Z" },
      { role: "assistant", content: "On Saturday, 4 May, at **19:30**.", timestamp: "2026-04-30T14:02:04Z" },
    ],
    memories: [
      ["2026-04-30T14:02:00Z", "You prefer trains to planes, and a seat at the window."],
      ["2026-04-29T09:40:00Z", "Your sister Clara lives in Graz, near the botanical garden."],
    ],
  },
  {
    title: "Dinner on Saturday",
    updated: "2026-04-28T18:15:00Z",
    messages: [{ role: "user", content: "What can I cook for six people?" }],
    memories: [["2026-04-28T18:15:00Z", "You do not eat fish. Nuts are fine."]],
  },
  {
    title: "The printer in the study",
    updated: "2026-04-22T10:26:00Z",
    messages: [{ role: "user", content: "Why does it print nothing?" }],
    memories: [["2026-04-22T10:26:00Z", "The printer in the study needs the driver brlaser."]],
  },
  {
    title: "Budget for 2027",
    updated: "2026-04-12T16:50:00Z",
    messages: [{ role: "user", content: "Make a table of last year's costs." }],
    memories: [["2026-04-12T16:50:00Z", "Amounts are in euros, without cents; months are rows."]],
  },
  {
    title: "A gift for Clara",
    updated: "2026-04-03T11:08:00Z",
    messages: [{ role: "user", content: "She likes gardens and old maps." }],
    memories: [],
  },
] as const;

const calls = (operation: string, more: object) => ({
  toolCalls: [{ name: "file_operations", arguments: { operation, ...more } }],
});

/** What the model does in the chat: it reads the notes, and asks to change them. */
function changing(filePath: string): MockScript {
  const next = turns(
    calls("read_file", { filePath }),
    [
      { text: "The train and the hotel move by a day; the concert stays where it is." },
      calls("replace_string", { filePath, oldString: trains.old, newString: trains.new }),
    ],
    [{ text: "Done: the train and the hotel are on **4 May** now." }],
  );
  // The service also asks what the model can do.
  return (request) => (request.path.endsWith("/chat/completions") ? next() : jsonReply({}, { status: 404 }));
}

/** The service that the pictures show, with a person's conversations, models and files. */
export interface PictureScene extends PageScene {
  /** The text of the file that the chat is about. */
  readonly notes: () => string;
  /** Writes what the window shows, in which nothing differs from run to run, as a PNG. */
  readonly shoot: (file: string) => Promise<void>;
  readonly close: () => Promise<void>;
}

/**
 * Opens the scene in a browser. What is shown of this machine (folder, ports, the time of day) stands in the
 * pictures as another computer has it.
 */
export async function openPictureScene(
  openScene: (script?: MockScript, options?: SceneOptions) => Promise<PageScene>,
  window: SceneOptions = frame,
): Promise<PictureScene> {
  const folder = path.join(temporaryFolder(), "graz");
  const file = path.join(folder, "notes.md");
  mkdirSync(folder);
  writeFileSync(file, notes);
  const [ollama, studio] = await Promise.all([
    mockProviderServer(changing(file), { models: ["qwen3:8b", "gemma3:12b"] }),
    mockProviderServer(undefined, { models: ["gpt-oss-20b", "gemma-3-12b", "mistral-small"] }),
  ]);
  const scene = await openScene(undefined, {
    ...window,
    settings: {
      "providers.list": [{ type: "ollama", base_url: ollama.baseUrl }],
      "providers.local_servers": { ollama: ollama.baseUrl, lmstudio: studio.baseUrl },
      default_model: "ollama/qwen3:8b",
      "models.overrides": { "ollama/qwen3:8b": { supportsTools: true } },
    },
  });
  for (const { memories, ...conversation } of conversations.toReversed())
    await scene.ask("POST", "/v1/conversations/import", {
      formatVersion: "1.0",
      conversation: { ...conversation, created: conversation.updated, model: "ollama/qwen3:8b" },
      memories: memories.map(([createdAt, content]) => ({ createdAt, content })),
    });
  const shown = [
    [folder, "/home/ada/graz"],
    [ollama.url, "http://127.0.0.1:11434"],
  ] as const;
  return {
    ...scene,
    notes: () => readFileSync(file, "utf8"),
    shoot: async (to) => {
      await settle(scene.page, shown);
      writeFileSync(to, compactPng(await scene.page.screenshot({ animations: "disabled", caret: "hide" })));
    },
    close: async () => void (await Promise.all([ollama, studio].map((one) => one.close()))),
  };
}

/** Gives the page the texts that it has elsewhere, one time of today, and one duration. */
async function settle(page: Page, shown: readonly (readonly [string, string])[]): Promise<void> {
  const today = new Date().toISOString().slice(0, 10);
  await page.evaluate(`for (
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    walker.nextNode();
  ) {
    const { currentNode: node } = walker;
    for (const [from, to] of ${JSON.stringify(shown)}) node.data = node.data.replaceAll(from, to);
    if (node.parentElement.dateTime?.startsWith("${today}")) node.data = "14:31";
    if (node.parentElement.closest(".run-line, .tool"))
      node.data = node.data.replace(/\\b0:\\d\\d\\b/, "0:07").replace(/\\b\\d+ ms/, "18 ms");
  }`);
}
