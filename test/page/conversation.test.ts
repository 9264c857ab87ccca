import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { temporaryFolder, type ScriptTurn } from "@pergola/sdk/testing";
import { shown } from "../support/chat-page.ts";
import { accessibilityFaults, isTooWide } from "../support/accessibility.ts";
import { press, scenesInBrowser, turns, ways, type PageScene } from "../support/page-scene.ts";
import { promised } from "../support/promised.ts";

const log = (page: Page) => page.getByRole("log");
const field = (page: Page) => page.getByRole("textbox", { name: "Message" });
const stopButton = (page: Page) => page.getByRole("button", { name: /^Stop/ });

const reads = (filePath: string): Extract<ScriptTurn, readonly unknown[]> => [
  { toolCalls: [{ name: "file_operations", arguments: { operation: "read_file", filePath } }] },
];

describe("the page's conversation (package chromium)", function () {
  this.timeout(60_000);
  const openScene = scenesInBrowser();
  let scene: PageScene;

  const send = async (page: Page, text: string): Promise<void> => {
    await field(page).fill(text);
    await page.keyboard.press("Enter");
  };

  it("shows what a call was given and gave while its run goes on, and when it has ended", async () => {
    const folder = temporaryFolder("pergola-read-");
    writeFileSync(path.join(folder, "a.txt"), "Sow the beans.\n");
    writeFileSync(path.join(folder, "b.txt"), "Dig the bed.\n");
    const rest = promised();
    scene = await openScene(
      turns(
        reads(path.join(folder, "a.txt")),
        [{ text: "Next one." }, ...reads(path.join(folder, "b.txt"))],
        [{ text: "And" }, { until: rest.promise }, { text: " done." }],
      ),
    );
    const { page } = scene;
    await page.goto("/");
    await send(page, "Read them");
    await log(page).getByText("And", { exact: true }).waitFor();
    const card = (name: string) => log(page).locator("details.tool").filter({ hasText: name });
    await card("a.txt").locator("summary").click();
    await card("a.txt").locator("pre").getByText("Sow the beans.").waitFor();
    await card("a.txt").locator("pre").getByText('"read_file"').waitFor();
    rest.keep();
    await stopButton(page).waitFor({ state: "detached" });
    await card("b.txt").locator("summary").click();
    await card("b.txt").locator("pre").getByText("Dig the bed.").waitFor();
    await card("a.txt").locator("pre").getByText("Sow the beans.").waitFor();
  });

  it("is the same in every window: what is sent in one runs and ends in the others", async () => {
    const rest = promised();
    scene = await openScene(
      turns([{ text: "First." }], [{ text: "Second" }, { until: rest.promise }, { text: " half." }]),
    );
    const { page } = scene;
    await page.goto("/");
    await send(page, "Begin");
    await log(page).getByText("First.").waitFor();
    await stopButton(page).waitFor({ state: "detached" });
    const other = await scene.another();
    await other.goto(page.url());
    await log(other).getByText("First.").waitFor();
    await send(page, "Go on");
    await log(other).getByText("Go on").waitFor();
    await log(other).getByText("Second", { exact: true }).waitFor();
    await stopButton(other).waitFor();
    rest.keep();
    await log(other).getByText("Second half.").waitFor();
    await stopButton(other).waitFor({ state: "detached" });
    expect(await log(other).getByText("Second half.").count()).to.equal(1);
  });

  for (const way of ways)
    it(`has its title, working directory and topic, is pinned, exported and deleted by its options, ${way}`, async () => {
      scene = await openScene(turns({ text: "Noted." }));
      const { page, ask } = scene;
      const folder = temporaryFolder("pergola-options-");
      const dialog = page.getByRole("dialog", { name: "Options" });
      const options = page.getByRole("main").getByRole("button", { name: "Options" });
      const field = (name: string | RegExp) => dialog.getByRole("textbox", { name });
      await page.goto("/");
      await press(page, options, way);
      await field("Title").and(page.locator(":focus")).waitFor();
      await field("Title").fill("The garden");
      await field("Working directory").fill(folder);
      await dialog.getByRole("combobox", { name: /^Topic/ }).fill("House");
      expect([await accessibilityFaults(page), await isTooWide(page)]).to.deep.equal([[], false]);
      await press(page, dialog.getByRole("button", { name: "Save" }), way);
      await dialog.waitFor({ state: "detached" });
      const list = page.getByRole("navigation", { name: "Conversations" });
      await list.getByRole("link", { name: /^The garden/ }).waitFor();
      await send(page, "Dig the bed");
      await log(page).getByText("Noted.").waitFor();
      await stopButton(page).waitFor({ state: "detached" });
      const [, id = ""] = /#\/c\/([0-9a-f-]{36})$/.exec(page.url()) ?? [];
      const stored = () => ask<Record<string, unknown>>("GET", `/v1/conversations/${id}?messages=false`);
      const { topics } = await ask<{ topics: { id: string; name: string }[] }>("GET", "/api/topics");
      const { topicId = "", ...rest } = await stored();
      expect(topics.map((topic) => [topic.id, topic.name])).to.deep.equal([[topicId, "House"]]);
      expect(rest).to.include({ title: "The garden", workingDirectory: folder, isPinned: false });

      await press(page, options, way);
      await field("Working directory").fill("not/absolute");
      await press(page, dialog.getByRole("button", { name: "Save" }), way);
      await dialog.locator(".failure").getByText(/\S/).waitFor();
      await press(page, dialog.getByRole("button", { name: "Close" }), way);
      await press(page, options, way);
      await dialog.getByRole("combobox", { name: /^Topic/ }).fill("");
      await press(page, dialog.getByRole("button", { name: "Save" }), way);
      await dialog.waitFor({ state: "detached" });
      await press(page, options, way);
      await press(page, dialog.getByRole("button", { name: "Pin" }), way);
      await dialog.waitFor({ state: "detached" });
      expect(await stored()).to.include({ topicId: null, workingDirectory: folder, isPinned: true });

      await press(page, options, way);
      const download = page.waitForEvent("download");
      await press(page, dialog.getByRole("button", { name: "Export" }), way);
      const file = await (await download).path();
      expect((await download).suggestedFilename()).to.equal("The garden.json");
      expect(readFileSync(file, "utf8")).to.include('"formatVersion"').and.include("Dig the bed");
      await press(page, dialog.getByRole("button", { name: "Delete" }), way);
      await press(page, dialog.getByRole("button", { name: "Delete this" }), way);
      await list.getByRole("link", { name: /^The garden/ }).waitFor({ state: "detached" });
      expect(await ask("GET", "/v1/conversations")).to.include({ count: 0 });
    });

  it("shows the files of a new conversation, and takes some into it", async () => {
    scene = await openScene();
    const { page } = scene;
    await page.goto("/");
    await press(page, page.getByRole("button", { name: "Files" }), "by keyboard");
    const panel = page.getByRole("dialog", { name: "Files" });
    await panel.getByText("There are no files here.").waitFor();
    await panel.locator(".path").getByText(/^\//).waitFor();
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "detached" });
    const chooser = page.waitForEvent("filechooser");
    await page.getByRole("button", { name: "+ File" }).press("Enter");
    await (await chooser).setFiles({ name: "a.txt", mimeType: "text/plain", buffer: Buffer.from("beans") });
    await page.getByRole("form", { name: "Message" }).getByText("a.txt").waitFor();
    await page.getByRole("progressbar").waitFor({ state: "detached" });
    await press(page, page.getByRole("button", { name: "Files" }), "by keyboard");
    await panel.getByRole("listitem").getByText("a.txt").waitFor();
  });

  it("stays at the end while that shrinks and grows, and where a person has scrolled up to", async () => {
    const text = Array.from({ length: 60 }, (_, line) => `Line ${line}.`).join("\n\n");
    scene = await openScene(turns({ text }));
    const { page } = scene;
    await page.goto("/");
    await send(page, "Begin");
    await stopButton(page).waitFor({ state: "detached" });
    await log(page).getByText("Line 59.").waitFor();
    /** How far it is from the end once something there has gone, and other things have come. */
    const afterChange = async (): Promise<number> => {
      await page.evaluate(`(async () => {
        const end = document.querySelector("footer.run-line");
        end.style.display = "none";
        await new Promise(requestAnimationFrame);
        await new Promise((resolve) => setTimeout(resolve));
        const more = document.createElement("p");
        more.style.height = "300px";
        document.querySelector(".thread").append(more);
        end.style.display = "";
      })()`);
      for (let frame = 0; frame < 4; frame++) await page.evaluate("new Promise(requestAnimationFrame)");
      // It counts from the end, upwards.
      return page.evaluate<number>(`Math.abs(document.querySelector(".scroller").scrollTop)`);
    };
    expect(await afterChange()).to.be.below(2);
    await log(page).hover();
    await page.mouse.wheel(0, -400);
    await page.getByRole("button", { name: "To the end" }).waitFor();
    expect(await afterChange()).to.be.above(600);
  });

  it("copies what an answer says and what was asked, without what tools did", async () => {
    const file = path.join(temporaryFolder("pergola-copy-"), "a.txt");
    writeFileSync(file, "Sow the beans.\n");
    scene = await openScene(turns([{ text: "I **read** it." }, ...reads(file)], [{ text: "Sow *beans*." }]));
    const { page, url } = scene;
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"], { origin: url });
    await page.goto("/");
    await send(page, "What is in it?");
    await log(page).getByText("Sow beans.").waitFor();
    const copied = async (at: number): Promise<string> => {
      await log(page).getByRole("button", { name: "Copy" }).nth(at).press("Enter");
      await page.locator("#polite").getByText("Copied").waitFor({ state: "attached" });
      return page.evaluate<string>("navigator.clipboard.readText()");
    };
    expect(await copied(0)).to.equal("What is in it?");
    expect(await copied(1)).to.equal("I **read** it.\n\nSow *beans*.");
  });

  it("says that another version answers by now, and loads nothing by itself", async () => {
    scene = await openScene();
    const { page } = scene;
    let version = "1.0.0";
    await page.route("**/api/events?*", (route) =>
      route.fulfill({
        contentType: "text/event-stream",
        body: `id: a-1\nevent: hello\ndata: ${JSON.stringify({ startId: "a", version })}\n\n`,
      }),
    );
    await page.goto("/");
    await field(page).fill("A draft");
    await page.getByRole("navigation").getByText("Runs").waitFor();
    expect(await shown(page).getByText("Pergola was updated.").count()).to.equal(0);
    version = "1.1.0";
    await shown(page).getByText("Pergola was updated.").waitFor();
    expect(await field(page).inputValue()).to.equal("A draft");
    await page.getByRole("button", { name: "Reload" }).press("Enter");
    await shown(page).getByText("Pergola was updated.").waitFor({ state: "detached" });
    expect(await field(page).inputValue()).to.equal("A draft");
  });

  it("lays its list over a narrow page, by keyboard as well, and gives the focus back", async () => {
    scene = await openScene(undefined, { width: 360, height: 640 });
    const { page } = scene;
    await page.goto("/");
    const list = page.getByRole("navigation", { name: "Conversations" });
    const opener = page.getByRole("button", { name: "Conversations" });
    await opener.press("Enter");
    await list.getByRole("link", { name: "Runs" }).waitFor();
    expect([await accessibilityFaults(page), await isTooWide(page)]).to.deep.equal([[], false]);
    await page.keyboard.press("Escape");
    await list.waitFor({ state: "hidden" });
    await opener.and(page.locator(":focus")).waitFor();
  });

  it("has one row above it on a narrow page, the rest in a menu that gives the focus back", async () => {
    scene = await openScene(undefined, { width: 360, height: 640 });
    const { page } = scene;
    await page.goto("/");
    const menu = page.getByRole("button", { name: "Chat menu" });
    const heading = page.getByRole("heading", { level: 1 });
    const centers = await Promise.all(
      [page.getByRole("button", { name: "Conversations" }), heading, menu].map(async (one) => {
        const { y = 0, height = 0 } = (await one.boundingBox()) ?? {};
        return Math.round(y + height / 2);
      }),
    );
    expect(Math.max(...centers) - Math.min(...centers), centers.join()).to.be.below(8);
    expect(await page.getByRole("button", { name: "Options" }).isVisible()).to.equal(false);
    await menu.press("Enter");
    await page.getByRole("combobox", { name: "Model" }).waitFor();
    expect([await accessibilityFaults(page), await isTooWide(page)]).to.deep.equal([[], false]);
    await page.keyboard.press("Escape");
    await menu.and(page.locator(":focus")).waitFor();
    await menu.press("Enter");
    await page.getByRole("button", { name: "Options" }).press("Enter");
    await page.getByRole("dialog", { name: "Options" }).waitFor();
    await page.keyboard.press("Escape");
    await menu.and(page.locator(":focus")).waitFor();
  });
});
