import { expect } from "chai";
import type { Page } from "playwright-core";
import { shown } from "../support/chat-page.ts";
import { accessibilityFaults, isTooWide } from "../support/accessibility.ts";
import { choose, press, scenesInBrowser, turns, ways, type PageScene } from "../support/page-scene.ts";

const log = (page: Page) => page.getByRole("log");
const field = (page: Page) => page.getByRole("textbox", { name: "Message" });
const list = (page: Page) => page.getByRole("navigation", { name: "Conversations" });
const dialog = (page: Page) => page.getByRole("dialog", { name: "Options" });
const focused = (page: Page) => page.locator(".message:focus");

describe("what can be set for a conversation, and what is shown of it (package chromium)", function () {
  this.timeout(60_000);
  const openScene = scenesInBrowser();
  let scene: PageScene;

  const send = async (page: Page, text: string, answer: string): Promise<void> => {
    await field(page).fill(text);
    await page.keyboard.press("Enter");
    await log(page).getByText(answer, { exact: true }).waitFor();
    await page.getByRole("button", { name: /^Stop/ }).waitFor({ state: "detached" });
  };
  /** What the model was asked last. */
  const lastSent = () =>
    scene.project.model.requests.findLast(({ path }) => path.endsWith("/chat/completions"))?.body as {
      readonly messages: readonly { readonly content: string }[];
      readonly temperature?: number;
      readonly max_tokens?: number;
    };

  for (const way of ways)
    it(`has its own prompt, personality and sampling, refuses what cannot be, and goes back, ${way}`, async () => {
      scene = await openScene(turns({ text: "First." }, { text: "Second." }));
      const { page, ask } = scene;
      await ask("POST", "/api/prompts/system", { name: "Pirate", content: "Speak like a pirate." });
      await ask("POST", "/api/personalities", { name: "Bosun", instructions: "You are the bosun." });
      await page.goto("/");
      const options = page.getByRole("main").getByRole("button", { name: "Options" });
      const open = async (): Promise<void> => {
        await press(page, options, way);
        await press(page, dialog(page).getByText("How it answers"), way, "Enter");
      };
      const choice = (name: string) => dialog(page).getByRole("combobox", { name, exact: true });
      const number = (name: string | RegExp) => dialog(page).getByRole("spinbutton", { name });
      const save = () => press(page, dialog(page).getByRole("button", { name: "Save" }), way);
      await open();
      expect(await number("Temperature").inputValue()).to.equal("");
      await choose(page, choice("Prompt"), "Pirate", way);
      await choose(page, choice("Personality"), "Bosun", way);
      await number("Temperature").fill("0.2");
      await number(/^Longest answer/).fill("300");
      expect([await accessibilityFaults(page), await isTooWide(page)]).to.deep.equal([[], false]);
      await save();
      await dialog(page).waitFor({ state: "detached" });
      await send(page, "Ahoy", "First.");
      expect(lastSent()).to.include({ temperature: 0.2, max_tokens: 300 });
      expect(lastSent().messages[0]?.content)
        .to.include("Speak like a pirate.")
        .and.include("You are the bosun.");

      await open();
      expect(await choice("Prompt").locator("option:checked").textContent()).to.equal("Pirate");
      expect(await number("Temperature").inputValue()).to.equal("0.2");
      await number("Temperature").fill("99");
      await save();
      await dialog(page).locator(".failure").getByText(/\S/).waitFor();
      expect(await number("Temperature").inputValue(), "what was written stays").to.equal("99");
      await number("Temperature").fill("");
      await choose(page, choice("Prompt"), "As everywhere", way);
      await save();
      await dialog(page).waitFor({ state: "detached" });
      await send(page, "And now?", "Second.");
      expect(lastSent().messages[0]?.content).to.not.include("pirate");
      expect(lastSent().messages[0]?.content).to.include("You are the bosun.");
      expect(lastSent()).to.include({ max_tokens: 300 });
      expect(lastSent().temperature).to.not.equal(0.2);
    });

  it("stands in the list in its folder, else in its topic, in every window, until that is deleted", async () => {
    scene = await openScene();
    const { page, ask } = scene;
    const budget = await ask<{ readonly id: string }>("POST", "/v1/conversations", { title: "Budget" });
    await ask("POST", "/v1/conversations", { title: "Insurance" });
    await page.goto(`/#/c/${budget.id}`);
    const other = await scene.another();
    await other.goto("/");
    const place = async (title: string, fields: Readonly<Record<string, string>>): Promise<void> => {
      await list(page)
        .getByRole("link", { name: new RegExp(title) })
        .press("F2");
      for (const [name, value] of Object.entries(fields))
        await dialog(page)
          .getByRole("combobox", { name: new RegExp(`^${name}`) })
          .fill(value);
      await page.keyboard.press("Enter");
      await dialog(page).waitFor({ state: "detached" });
    };
    const group = (window: Page, name: string) => list(window).getByRole("list", { name, exact: true });
    await place("Budget", { Folder: "Work", Topic: "House" });
    await place("Insurance", { Topic: "house" });
    for (const window of [page, other]) {
      await group(window, "Folder: Work")
        .getByRole("link", { name: /Budget/ })
        .waitFor();
      await group(window, "Topic: House")
        .getByRole("link", { name: /Insurance/ })
        .waitFor();
      expect(
        await list(window)
          .getByRole("link", { name: /Budget|Insurance/ })
          .count(),
      ).to.equal(2);
    }
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    const fold = list(page).getByText("Folder: Work");
    await press(page, fold, "by keyboard", "Enter");
    await group(page, "Folder: Work").waitFor({ state: "detached" });
    await press(page, fold, "by keyboard", "Enter");

    const { folders } = await ask<{ folders: { id: string }[] }>("GET", "/api/folders");
    await ask("DELETE", `/api/folders/${folders[0]?.id ?? ""}`);
    for (const window of [page, other]) {
      await group(window, "Topic: House")
        .getByRole("link", { name: /Budget/ })
        .waitFor();
      expect(await group(window, "Folder: Work").count()).to.equal(0);
    }
  });

  it("says how full the model's context was, as its route does", async () => {
    scene = await openScene(turns({ text: "First." }, { text: "Second." }));
    const { page, ask } = scene;
    await page.goto("/");
    expect(await page.getByRole("button", { name: /^Context/ }).count()).to.equal(0);
    await send(page, "A long question. ".repeat(400), "First.");
    const [, id = ""] = /#\/c\/([0-9a-f-]{36})$/.exec(page.url()) ?? [];
    type Seen = Readonly<Record<"estimatedTokens" | "usable", number>>;
    const seen = await ask<Seen>("GET", `/v1/conversations/${id}/context`);
    const percent = Math.round((100 * seen.estimatedTokens) / seen.usable);
    expect(percent).to.be.above(5);
    await page.getByRole("button", { name: `Context ${percent} %`, exact: true }).waitFor();
    await page.reload();
    await page.getByRole("button", { name: `Context ${percent} %`, exact: true }).waitFor();
  });

  it("has its messages copied, edited and branched by letters, which write where somebody writes", async () => {
    scene = await openScene(turns({ text: "First." }, { text: "Second." }));
    const { page, url } = scene;
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: url });
    await page.goto("/");
    await send(page, "Say one", "First.");
    await page.keyboard.press("Alt+ArrowUp");
    await focused(page).getByText("First.").waitFor();
    await page.keyboard.press("c");
    await page.locator("#polite").getByText("Copied").waitFor({ state: "attached" });
    expect(await page.evaluate<string>("navigator.clipboard.readText()")).to.equal("First.");
    await page.keyboard.press("e");
    expect(await page.getByRole("textbox", { name: "Your message" }).count(), "an answer").to.equal(0);
    await page.keyboard.press("Alt+ArrowUp");
    await page.keyboard.press("e");
    const edited = page.getByRole("textbox", { name: "Your message" });
    await edited.and(page.locator(":focus")).waitFor();
    await edited.fill("Say ");
    await page.keyboard.type("bce");
    expect(await edited.inputValue()).to.equal("Say bce");
    await page.getByRole("button", { name: "Send this instead" }).press("Enter");
    await log(page).getByText("Second.", { exact: true }).waitFor();
    await log(page).getByText("2 of 2").waitFor();
    await field(page).focus();
    await page.keyboard.type("b");
    expect(await field(page).inputValue()).to.equal("b");
    await page.keyboard.press("Alt+ArrowUp");
    await page.keyboard.press("Alt+ArrowUp");
    await page.keyboard.press("Control+b");
    await log(page).getByText("2 of 2").waitFor();
    await page.keyboard.press("b");
    await log(page).getByText("First.", { exact: true }).waitFor();
    await log(page).getByText("1 of 2").waitFor();
  });

  it("is found by what is said in it with Ctrl+K, and by the arrows", async () => {
    scene = await openScene(turns({ text: "The old mill stands in Graz." }, { text: "Yes." }));
    const { page } = scene;
    await page.goto("/");
    await send(page, "Where is it?", "The old mill stands in Graz.");
    await page.keyboard.press("Alt+n");
    await shown(page).getByText("What do you want done?").waitFor();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("old mill");
    const found = page.getByRole("dialog", { name: "Go to" });
    const hit = found.getByRole("listitem").filter({ hasText: "stands in Graz" });
    await hit.waitFor();
    expect(await hit.locator("mark").allTextContents()).to.deep.equal(["old", "mill"]);
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await page.keyboard.press("ArrowDown");
    await found.getByRole("link", { name: "Messages with “old mill”" }).and(page.locator(":focus")).waitFor();
    await page.keyboard.press("ArrowDown");
    await hit.getByRole("link").and(page.locator(":focus")).waitFor();
    await page.keyboard.press("ArrowUp");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Enter");
    await focused(page).getByText("The old mill stands in Graz.").waitFor();
    expect(await found.count()).to.equal(0);

    await page.keyboard.press("Control+k");
    await page.keyboard.type("old mill");
    await page.keyboard.press("Enter");
    await page.getByRole("heading", { name: "Search", level: 1 }).waitFor();
    await shown(page).getByText("1 message", { exact: true }).waitFor();
    await page.getByRole("navigation").getByRole("link", { name: /Runs/ }).focus();
    await page.keyboard.press("ArrowUp");
    await page
      .getByRole("link", { name: /^Waiting/ })
      .and(page.locator(":focus"))
      .waitFor();
  });
});
