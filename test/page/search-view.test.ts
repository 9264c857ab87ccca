import { expect } from "chai";
import { chatsInBrowser, log, sendText } from "../support/chat-page.ts";
import { turns } from "../support/page-scene.ts";

describe("search on the page (package chromium)", function () {
  this.timeout(60_000);
  const openChat = chatsInBrowser();

  it("finds a message in another conversation, gives that another title, and deletes it", async () => {
    const scene = await openChat(turns({ text: "The old mill stands in Graz." }));
    const { page } = scene;
    await sendText(page, "Where is the mill?");
    await log(page).getByText("The old mill stands in Graz.").waitFor();
    await page.getByRole("button", { name: /^Stop/ }).waitFor({ state: "detached" });
    await page.goto("/#/search");
    await page.getByRole("searchbox", { name: "Search messages" }).fill("mill Graz");
    await page.keyboard.press("Enter");
    const hit = page.getByRole("listitem").filter({ hasText: "The old mill stands in Graz." });
    await hit.locator("mark").first().waitFor();
    expect(await hit.locator("mark").allTextContents()).to.deep.equal(["mill", "Graz"]);
    await hit.getByRole("link").click();
    await page.locator(".message:focus").getByText("The old mill").waitFor();

    const list = page.getByRole("navigation", { name: "Conversations" });
    await list.getByRole("link", { name: /mill/ }).focus();
    await page.keyboard.press("F2");
    await page.getByRole("textbox", { name: "Title" }).fill("A mill");
    await page.keyboard.press("Enter");
    await list.getByRole("link", { name: /^A mill/ }).waitFor();
    await list.getByRole("button", { name: "Change A mill" }).click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByRole("button", { name: "Keep it" }).and(page.locator(":focus")).waitFor();
    await page.getByRole("button", { name: "Delete this" }).click();
    await list.getByRole("link", { name: /^A mill/ }).waitFor({ state: "detached" });
    const { count } = await scene.ask<{ count: number }>("GET", "/v1/conversations");
    expect(count).to.equal(0);
  });
});
