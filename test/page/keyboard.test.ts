import { existsSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { temporaryFolder } from "@pergola/sdk/testing";
import { chatsInBrowser, field, log, openCard, shown, writes } from "../support/chat-page.ts";
import { turns } from "../support/page-scene.ts";

describe("the page by keyboard alone (package chromium)", function () {
  this.timeout(60_000);
  const openChat = chatsInBrowser();

  it("works by keyboard alone: write, decide, look around, find, stop", async () => {
    const file = path.join(temporaryFolder(), "out.txt");
    const { page } = await openChat(
      turns(writes(file), { text: "Finished." }, [{ text: "Slowly" }, { hang: true }]),
    );
    await page.keyboard.type("Copy it");
    await page.keyboard.press("Enter");
    await openCard(page);
    await page.keyboard.press("Alt+a");
    await page.keyboard.press("a");
    await log(page).getByText("Finished.").waitFor();
    expect(existsSync(file)).to.equal(true);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("settings");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("copy");
    // The list gets the title of a conversation a moment after its answer.
    await page
      .getByRole("dialog", { name: "Go to" })
      .getByRole("listitem")
      .filter({ hasText: /Copy it.*Conversation/ })
      .waitFor();
    await page.keyboard.press("Enter");
    await field(page).and(page.locator(":focus")).waitFor();
    await page.keyboard.type("Slow");
    await page.keyboard.press("Enter");
    await log(page).getByText("Slowly").waitFor();
    await page.keyboard.press("Control+.");
    await log(page).getByText("You stopped this run").waitFor();
  });

  it("sends with Shift+Enter, and begins a new line with Enter, where somebody has chosen that", async () => {
    const { page } = await openChat(turns({ text: "Both lines." }));
    const choose = async (key: string): Promise<void> => {
      await page.goto("/#/settings/web");
      await page.getByLabel("web.send_key", { exact: true }).selectOption(key);
      await shown(page).getByText("Saved", { exact: true }).waitFor();
      await page.goto("/#/");
    };
    await choose("shift_enter");
    await page.reload();
    // What somebody has chosen is read with the models.
    await page.getByRole("combobox", { name: "Model" }).waitFor();
    await field(page).pressSequentially("One");
    await page.keyboard.press("Enter");
    await page.keyboard.type("Two");
    expect(await field(page).inputValue()).to.equal("One\nTwo");
    await page.keyboard.press("Shift+Enter");
    await log(page).getByText("Both lines.").waitFor();
    expect(await log(page).locator(".own .prose").innerText()).to.match(/One\s+Two/);
    await choose("enter");
    await field(page).pressSequentially("One");
    await page.keyboard.press("Shift+Enter");
    expect(await field(page).inputValue()).to.equal("One\n");
  });
});
