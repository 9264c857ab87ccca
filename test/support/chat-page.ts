import type { Locator, Page } from "playwright-core";
import type { MockScript, ScriptTurn } from "@pergola/sdk/testing";
import { scenesInBrowser, type PageScene, type SceneOptions } from "./page-scene.ts";

/** What the model says and does to write a file. */
export const writes = (file: string, content = "hello\n"): ScriptTurn => [
  { text: "Copying the file." },
  {
    toolCalls: [
      {
        name: "file_operations",
        arguments: { operation: "create_file", file_path: file, content, overwrite: true },
      },
    ],
  },
];

/** Where a person writes. */
export const field = (page: Page): Locator => page.getByRole("textbox", { name: "Message" });

/** What is to be seen: all but the live regions, which may say the same. */
export const shown = (page: Page): Locator => page.locator("#page");

/** The messages of the conversation that is shown. */
export const log = (page: Page): Locator => page.getByRole("log");

/** There while a run is at work. */
export const stopButton = (page: Page): Locator => page.getByRole("button", { name: /^Stop/ });

/** On a narrow screen, what stands in the head of a chat is in a menu. */
export async function openChatMenu(page: Page): Promise<void> {
  const menu = page.getByRole("button", { name: "Chat menu" });
  if (await menu.isVisible()) await menu.press("Enter");
}

export async function sendText(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await page.keyboard.press("Enter");
}

/** The view of all that waits for a person. */
export const waitingView = (page: Page): Locator => page.locator(".waiting");

/** The question whether a call may run, once it takes clicks: that of the view, not of the one before. */
export async function openCard(page: Page, view = log(page)): Promise<Locator> {
  const card = view.getByRole("region", { name: /^Needs your decision/ });
  await card.and(page.locator("[aria-busy=false]")).waitFor();
  return card;
}

/** Registers the hooks of `scenesInBrowser`, and gives the way to a scene whose window shows a new chat. */
export function chatsInBrowser(): (script?: MockScript, options?: SceneOptions) => Promise<PageScene> {
  const openScene = scenesInBrowser();
  return async (script, options) => {
    const scene = await openScene(script, options);
    await scene.page.goto("/");
    await field(scene.page).waitFor();
    return scene;
  };
}
