import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { temporaryFolder, type MockScript, type ScriptTurn } from "@pergola/sdk/testing";
import { accessibilityFaults, isTooWide } from "../support/accessibility.ts";
import { scenesInBrowser, turns, type PageScene, type SceneOptions } from "../support/page-scene.ts";
import { promised } from "../support/promised.ts";

const writes = (file: string, content = "hello\n"): ScriptTurn => [
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

const field = (page: Page) => page.getByRole("textbox", { name: "Message" });
const log = (page: Page) => page.getByRole("log");

async function sendText(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await page.keyboard.press("Enter");
}

/** A click that was meant for something else: in the moment in which a card appears. */
const clickAtOnce = `new MutationObserver((_, watcher) => {
  const button = document.querySelector(".approval .primary");
  if (button === null) return;
  watcher.disconnect();
  button.click();
  window.hasClicked = true;
}).observe(document.body, { childList: true, subtree: true })`;

describe("the page in a browser (package chromium)", function () {
  this.timeout(60_000);
  const openScene = scenesInBrowser();
  let scene: PageScene;

  const begin = async (script?: MockScript, options?: SceneOptions): Promise<Page> => {
    scene = await openScene(script, options);
    await scene.page.goto("/");
    await field(scene.page).waitFor();
    return scene.page;
  };

  it("has the focus where one writes, streams an answer, and gives the conversation an address", async () => {
    const rest = promised();
    const page = await begin(
      turns([{ text: "Hello **there**" }, { until: rest.promise }, { text: ", and *more*." }]),
    );
    await page.keyboard.type("Hi");
    await page.keyboard.press("Enter");
    await log(page).getByText("there", { exact: true }).waitFor();
    expect(await log(page).textContent()).to.not.include("more");
    await page.getByRole("button", { name: "Stop" }).waitFor();
    rest.keep();
    await log(page).getByText("more", { exact: true }).waitFor();
    await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
    expect(page.url()).to.match(/#\/c\/[0-9a-f-]{36}$/);
    await page.getByRole("link", { name: /^Hi/ }).waitFor();
    expect(await field(page).inputValue()).to.equal("");
  });

  it("goes on after a reload in the middle: no gap, nothing twice", async () => {
    const words = Array.from({ length: 60 }, (_, index) => `word${index} `);
    const rest = promised();
    const page = await begin(
      turns([{ text: words.slice(0, 30) }, { until: rest.promise }, { text: words.slice(30) }]),
    );
    await sendText(page, "Count");
    await log(page).getByText("word29").waitFor();
    await page.reload();
    await log(page).getByText("word29").waitFor();
    rest.keep();
    await log(page).getByText("word59").waitFor();
    await page.getByRole("button", { name: "Stop" }).waitFor({ state: "detached" });
    const text = (await log(page).locator(".prose").allTextContents()).join("\n");
    expect(text.match(/word\d+/g)).to.deep.equal(words.map((word) => word.trim()));
    expect(text.match(/Count/g)).to.have.length(1);
  });

  it("shows what a call would do, takes no click for half a second, and runs it once approved", async () => {
    const file = path.join(temporaryFolder(), "out.txt");
    const page = await begin(turns(writes(file), { text: "All done." }));
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
    const page = await begin(turns(writes(file), { text: "As you wish." }));
    await sendText(page, "Copy it");
    const card = page.getByRole("region", { name: /^Needs your decision/ });
    await card.and(page.locator("[aria-busy=false]")).waitFor();
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

  it("works by keyboard alone: write, decide, look around, find, stop", async () => {
    const file = path.join(temporaryFolder(), "out.txt");
    const page = await begin(
      turns(writes(file), { text: "Finished." }, [{ text: "Slowly" }, { hang: true }]),
    );
    await page.keyboard.type("Copy it");
    await page.keyboard.press("Enter");
    const card = page.getByRole("region", { name: /^Needs your decision/ });
    await card.and(page.locator("[aria-busy=false]")).waitFor();
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

  it("keeps what markup, links and code say as text, and runs none of it", async () => {
    const hostile =
      "<img src=x onerror=alert(1)><script>alert(1)</script> [link](javascript:alert(1)) " +
      "![picture](https://elsewhere.example/p.png) `rm\u00ad -r`\n\n```html\n<b onclick=alert(1)>x</b>\n```\n\n$x^2$";
    const page = await begin(turns({ text: hostile }));
    await sendText(page, "Show it");
    await log(page).locator("math").waitFor();
    const text = await log(page).textContent();
    expect(text).to.include("<img src=x onerror=alert(1)>").and.include("rm⟨U+00AD⟩ -r");
    expect(await log(page).locator("img, script, b, iframe, svg:not(.icon)").count()).to.equal(0);
    expect(await log(page).locator("a[href^='javascript']").count()).to.equal(0);
    await log(page).locator(".hljs-tag").first().waitFor();
  });

  it("says when the service is gone, keeps what is written, and goes on when it is back", async () => {
    const page = await begin(turns({ text: "Hello." }));
    await sendText(page, "Hi");
    await log(page).getByText("Hello.").waitFor();
    await scene.service().end("SIGKILL");
    await page.getByText(/^The service cannot be reached\./).waitFor();
    await sendText(page, "Are you there?");
    expect(await field(page).inputValue()).to.equal("Are you there?");
    await scene.start();
    await page.getByText(/^The service cannot be reached\./).waitFor({ state: "detached", timeout: 20_000 });
    await field(page).press("Enter");
    await log(page).getByText("Hello.").nth(1).waitFor();
  });

  it("asks for a token where the service wants one, and takes a one-time code out of the address", async () => {
    scene = await openScene(undefined, { settings: { "auth.loopback": "token" } });
    const { page, project } = scene;
    await page.goto("/");
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    const { stdout } = await project.run(["tokens", "add", "browser", "--scope", "read,chat,approve"]);
    await page.getByLabel("Token").fill("wrong");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").filter({ hasText: /token/i }).waitFor();
    await page.getByLabel("Token").fill(stdout.trim());
    await page.keyboard.press("Enter");
    await field(page).waitFor();
    await sendText(page, "Hi");
    await log(page).getByText("Hello.").waitFor();
    const opened = await project.run(["open", "--print"]);
    const address = /http:\S+#code=\S+/.exec(opened.stdout)?.[0] ?? "";
    await page.evaluate("localStorage.clear()");
    await page.goto("about:blank");
    await page.goto(address);
    await field(page).waitFor();
    expect(page.url()).to.equal(`${scene.url}/#/`);
  });

  it("changes a setting, and a memory is corrected and forgotten", async () => {
    const remember: ScriptTurn = {
      toolCalls: [
        { name: "memory_operations", arguments: { operation: "store_memory", content: "Lives in Berlin" } },
      ],
    };
    const page = await begin(turns(remember, { text: "Noted." }));
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

  it("finds a message in another conversation, gives that another title, and deletes it", async () => {
    const page = await begin(turns({ text: "The old mill stands in Graz." }));
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

  for (const [name, options] of Object.entries<SceneOptions>({
    light: {},
    dark: { dark: true },
    narrow: { width: 360, height: 720, touch: true },
    "zoomed to 200 %": { width: 640, height: 400 },
    "forced colours": { forcedColors: true },
  }))
    it(`is open to everybody (WCAG 2.2 A and AA), and as wide as its window: ${name}`, async () => {
      const text =
        "# A\n\n- one\n- [x] two\n\n| a | b |\n|--|--|\n| 1 | 2 |\n\n```ts\nconst a = 1;\n```\n\nEnd";
      const script = turns({ text }, writes(path.join(temporaryFolder(), "out.txt")), { text: "Done." });
      const page = await begin(script, options);
      const found: string[] = [];
      const look = async (where: string): Promise<void> => {
        const faults = await accessibilityFaults(page);
        found.push(...faults.map((fault) => `${where}: ${fault}`));
        if (await isTooWide(page)) found.push(`${where}: too wide`);
      };
      await look("new");
      await sendText(page, "Show");
      await log(page).locator(".hljs-keyword").waitFor();
      const task = log(page).locator(".task");
      expect(await task.getByRole("checkbox", { name: "Done", checked: true }).count()).to.equal(1);
      expect(await task.textContent()).to.equal("two");
      await look("answer");
      await sendText(page, "Copy");
      const card = page.getByRole("region", { name: /^Needs your decision/ });
      await card.and(page.locator("[aria-busy=false]")).waitFor();
      await look("approval");
      await card.getByRole("combobox", { name: "How long this is allowed" }).selectOption({ index: 1 });
      await card.getByRole("button", { name: "Write 1 file" }).click();
      await log(page).getByText("Done.").waitFor();
      await page.goto("/#/settings/permissions");
      await page.getByRole("button", { name: /^Revoke/ }).waitFor();
      await look("permissions");
      await page.goto("/#/models");
      await page.getByText("Use a key").click();
      await page.getByRole("button", { name: "Connect" }).waitFor();
      await look("a key");
      await page.goto("/#/search/Show");
      await page.locator("mark").first().waitFor();
      await look("search");
      for (const view of ["Waiting", "Runs", "Memory", "Models", "Plugins", "Settings", "Check"]) {
        await page.goto(`/#/${view.toLowerCase()}`);
        await page.getByRole("heading", { name: view, level: 1 }).waitFor();
        await page.locator(".blocks").waitFor({ state: "detached", timeout: 20_000 });
        await look(view);
      }
      await page.keyboard.press("Control+k");
      await page.getByRole("searchbox", { name: "Go to" }).waitFor();
      await look("palette");
      expect(found).to.deep.equal([]);
    });

  it("lies, on a narrow screen, in one column with the list as a drawer", async () => {
    const page = await begin(turns({ text: "Hello." }), { width: 360, height: 640, touch: true });
    await sendText(page, "Hi");
    await log(page).getByText("Hello.").waitFor();
    const list = page.getByRole("navigation", { name: "Conversations" });
    expect(await list.isVisible()).to.equal(false);
    await page.getByRole("button", { name: "Conversations" }).tap();
    await list.getByRole("link", { name: "Runs" }).tap();
    await page.getByRole("heading", { name: "Runs", level: 1 }).waitFor();
    expect(await list.isVisible()).to.equal(false);
  });
});
