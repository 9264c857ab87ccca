import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { Locator } from "playwright-core";
import { temporaryFolder } from "@pergola/sdk/testing";
import { accessibilityFaults, isTooWide } from "../support/accessibility.ts";
import {
  chatsInBrowser,
  field,
  log,
  openCard,
  sendText,
  shown,
  waitingView,
  writes,
} from "../support/chat-page.ts";
import { turns } from "../support/page-scene.ts";

/** A click that was meant for something else: in the moment in which a card appears. */
const clickAtOnce = `new MutationObserver((_, watcher) => {
  const button = document.querySelector(".approval .primary");
  if (button === null) return;
  watcher.disconnect();
  button.click();
  window.hasClicked = true;
}).observe(document.body, { childList: true, subtree: true })`;

describe("approvals on the page (package chromium)", function () {
  this.timeout(60_000);
  const openChat = chatsInBrowser();

  it("shows what a call would do, takes no click for half a second, and runs it once approved", async () => {
    const file = path.join(temporaryFolder(), "out.txt");
    const { page } = await openChat(turns(writes(file), { text: "All done." }));
    await page.evaluate(clickAtOnce);
    await sendText(page, "Copy it");
    const card = page.getByRole("region", { name: /^Needs your decision/ });
    await card.waitFor();
    expect(await card.textContent())
      .to.include(file)
      .and.include("hello");
    expect(await field(page).evaluate("document.activeElement.id")).to.equal("message");
    const button = card.getByRole("button", { name: "Write 1 file" });
    await page.getByRole("link", { name: /^Waiting\s*1/ }).waitFor();
    expect(await page.title()).to.match(/^\(1\) /);
    await card.and(page.locator("[aria-busy=false]")).waitFor();
    expect([existsSync(file), await page.evaluate("window.hasClicked")]).to.deep.equal([false, true]);
    await button.click();
    await log(page).getByText("All done.").waitFor();
    await log(page)
      .getByText(/^You approved this, /)
      .waitFor();
    expect(readFileSync(file, "utf8")).to.equal("hello\n");
  });

  it("hands a refusal's words to the model; another window shows how it was answered", async () => {
    const file = path.join(temporaryFolder(), "out.txt");
    const scene = await openChat(turns(writes(file), { text: "As you wish." }));
    const { page } = scene;
    await sendText(page, "Copy it");
    const card = await openCard(page);
    const other = await scene.another();
    await other.goto(page.url());
    await other.getByRole("region", { name: /^Needs your decision/ }).waitFor();
    await card.getByRole("button", { name: "Refuse…" }).click();
    await page.keyboard.type("use the other folder");
    await page.keyboard.press("Enter");
    await log(page).getByText("As you wish.").waitFor();
    await other.getByText(/^Another window refused this, /).waitFor();
    expect(existsSync(file)).to.equal(false);
    expect(JSON.stringify(scene.project.model.requests.at(-1))).to.include("use the other folder");
  });

  it("has the model's words with what waits, in the view of all that does", async () => {
    const file = path.join(temporaryFolder(), "out.txt");
    const { page } = await openChat(turns(writes(file), { text: "All done." }));
    await sendText(page, "Copy it");
    expect(await (await openCard(page)).textContent()).to.not.include("Copying the file.");
    await page.getByRole("link", { name: /^Waiting\s*1/ }).click();
    await page.getByRole("blockquote").getByText("The model says: Copying the file.").waitFor();
    const card = await openCard(page, waitingView(page));
    expect([await accessibilityFaults(page), await isTooWide(page)]).to.deep.equal([[], false]);
    await card.getByRole("button", { name: "Write 1 file" }).click();
    await shown(page)
      .getByText(/^You approved this, /)
      .waitFor();
  });

  it("marks the words that differ in a line, and shows the whole file around it, before a yes and after", async () => {
    const file = path.join(temporaryFolder(), "long.txt");
    const text = (line: string): string =>
      Array.from({ length: 40 }, (_, at) => `${at === 20 ? line : `line ${at}`}\n`).join("");
    writeFileSync(file, text("The train leaves on Friday at eight"));
    const after = text("The train leaves on Saturday at nine");
    const { page } = await openChat(turns(writes(file, after), { text: "All done." }));
    await sendText(page, "Put it right");
    const card = await openCard(page);
    const diff = card.locator(".diff").first();
    await diff.waitFor();
    expect(await diff.locator("tr").count()).to.equal(8);
    expect(await diff.locator("mark").allTextContents()).to.deep.equal([
      "Friday",
      "eight",
      "Saturday",
      "nine",
    ]);
    const expectWhole = async (place: Locator): Promise<void> => {
      await place.getByText("Whole file").press("Enter");
      const whole = place.locator("details", { hasText: "Whole file" }).last().locator(".diff");
      await whole.getByText("line 39").waitFor();
      expect(await whole.locator("tr").count()).to.equal(41);
      expect(await whole.locator(".added, .removed").count()).to.equal(2);
    };
    await expectWhole(card);
    expect([await accessibilityFaults(page), await isTooWide(page)]).to.deep.equal([[], false]);
    await card.getByRole("button", { name: "Write 1 file" }).click();
    await log(page).getByText("All done.").waitFor();
    await page.getByRole("button", { name: "View" }).click();
    const panel = page.getByRole("dialog", { name: "Changes" });
    await panel.getByText(/long\.txt/).click();
    await panel.locator(".diff").waitFor();
    await expectWhole(panel.locator("details").first());
    await page.keyboard.press("Escape");
  });
});
