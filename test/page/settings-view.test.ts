import { expect } from "chai";
import { type ScriptTurn } from "@pergola/sdk/testing";
import { chatsInBrowser, log, sendText } from "../support/chat-page.ts";
import { turns } from "../support/page-scene.ts";

describe("settings and memory on the page (package chromium)", function () {
  this.timeout(60_000);
  const openChat = chatsInBrowser();

  it("changes a setting, and a memory is corrected and forgotten", async () => {
    const remember: ScriptTurn = {
      toolCalls: [
        { name: "memory_operations", arguments: { operation: "store_memory", content: "Lives in Berlin" } },
      ],
    };
    const scene = await openChat(turns(remember, { text: "Noted." }));
    const { page } = scene;
    await sendText(page, "I live in Berlin");
    await log(page).getByText("Noted.").waitFor();
    await page.goto("/#/memory");
    await page.getByRole("button", { name: "Correct" }).click();
    await page.getByRole("textbox", { name: "What is remembered" }).fill("Lives in Munich");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("Lives in Munich").waitFor();
    await page.getByRole("button", { name: "Forget", exact: true }).click();
    await page.getByRole("button", { name: "Forget this" }).click();
    await page.getByText("Nothing is remembered yet.").waitFor();
    await page.goto("/#/settings/workflow");
    await page.getByRole("spinbutton", { name: "workflow.max_iterations", exact: true }).fill("50");
    await page.keyboard.press("Tab");
    await page.getByText("Saved", { exact: true }).waitFor();
    const { preferences } = await scene.ask<{ preferences: Record<string, unknown> }>(
      "GET",
      "/api/preferences",
    );
    expect(preferences["workflow.max_iterations"]).to.equal(50);
    await page.getByRole("searchbox", { name: "Search settings" }).fill("max_iterations");
    await page.keyboard.press("Enter");
    await page.getByRole("spinbutton", { name: "workflow.max_iterations", exact: true }).waitFor();
    expect(await page.getByRole("spinbutton", { name: /max_parallel/ }).count()).to.equal(0);
  });
});
