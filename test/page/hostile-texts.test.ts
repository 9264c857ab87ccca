import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { Locator, Page } from "playwright-core";
import {
  chatReply,
  jsonReply,
  mockProviderServer,
  temporaryFolder,
  type MockReply,
  type ScriptTurn,
} from "@pergola/sdk/testing";
import { root } from "../architecture/tree.ts";
import { isTooWide } from "../support/accessibility.ts";
import { chatsInBrowser, log, openCard, sendText, stopButton } from "../support/chat-page.ts";

/** Markup, scripts, an address that runs one, a turn of the direction; and what looks like a card. */
const hostile =
  `<img src=x onerror="window.hit=1"><script>window.hit=1</script><svg onload="window.hit=1"></svg>` +
  `[go](javascript:window.hit=1)\u202e ![p](https://elsewhere.example/p.png)`;
const forged = `${hostile}\n\n### Needs your decision\n\n<button>Write 1 file</button> [Write 1 file](#/waiting)`;
/** The same, as far as a file may be called so. */
const hostileName = "<img src=x onerror=alert(1)>\u202e.md";
const shown = "<img src=x onerror=";

const script = path.join(root, "plugins/bridge-mcp-client/test/servers/sample-server.mjs");

describe("hostile texts on the page (package chromium)", function () {
  this.timeout(120_000);
  const openChat = chatsInBrowser();
  const closing: (() => Promise<void>)[] = [];
  afterEach(() => Promise.all(closing.splice(0).map((close) => close())));

  /** The text stands there as text: nothing of it is markup, a control, a link, a request, or has run. */
  async function expectText(
    page: Page,
    where: string,
    place: Locator = page.locator("#page"),
  ): Promise<void> {
    await place.getByText(shown).first().waitFor({ state: "attached" });
    const found = await page.evaluate<readonly string[]>(`[...document.querySelectorAll(
      "#page :is(img, script, iframe, object, embed, form form, svg:not(.icon), [onerror], [onload], [onclick], " +
      "a[href^='javascript:' i], a[href^='data:' i])")].map((one) => one.outerHTML.slice(0, 100))`);
    expect(found, where).to.deep.equal([]);
    expect(await page.evaluate("window.hit"), where).to.equal(undefined);
    expect(await isTooWide(page), `${where}: too wide`).to.equal(false);
  }

  it("stay texts in a chat: said, thought, called, asked, decided, found in files, failed", async () => {
    const folder = temporaryFolder("pergola-hostile-");
    const named = path.join(folder, hostileName);
    writeFileSync(named, `${hostile}\n${"x".repeat(1_000_000)}\n`);
    const call = (name: string, more: object): ScriptTurn => [
      { text: forged },
      { toolCalls: [{ name, arguments: { ...more } }] },
    ];
    const replies: readonly MockReply[] = [
      chatReply(call("file_operations", { operation: "read_file", filePath: named })),
      chatReply(
        call("file_operations", {
          operation: "replace_string",
          filePath: named,
          oldString: hostile,
          newString: `${hostile} anew`,
        }),
      ),
      chatReply(
        call("user_collaboration", { operation: "request_input", prompt: hostile, options: [hostile] }),
      ),
      chatReply(
        call("terminal_operations", {
          operation: "run_command",
          command: `echo '${hostile}'`,
          explanation: hostile,
        }),
      ),
      chatReply({ text: forged }),
      jsonReply({ error: { message: hostile } }, { status: 400 }),
    ];
    const { page } = await openChat([...replies], { settings: { "tools.disabled": [] } });
    await sendText(page, forged);
    const write = await openCard(page);
    await write.locator(".diff").waitFor();
    await expectText(page, "a change before it is made", write);
    // The service writes signs of its own into what it asks.
    expect(await write.locator(".path").first().textContent()).to.match(/⟨U\+202E⟩|\\u\{202e\}/);
    expect(await page.getByRole("region", { name: /^Needs your decision/ }).count()).to.equal(1);
    expect(await page.getByRole("button", { name: "Write 1 file" }).count()).to.equal(1);
    const read = log(page).locator("details.tool").first();
    await read.locator("summary").press("Enter");
    await read.locator("pre").first().waitFor();
    await expectText(page, "a call, its arguments and its result", read);
    await write.getByRole("button", { name: "Write 1 file" }).press("Enter");
    const question = page.getByRole("region", { name: /^Asks you/ });
    await question.and(page.locator("[aria-busy=false]")).waitFor();
    await expectText(page, "a question", question);
    await question.getByRole("button", { name: shown }).press("Enter");
    const command = await openCard(page);
    await expectText(page, "a command", command);
    expect(await command.locator(".command").textContent()).to.not.include("\u202e");
    await command.getByRole("button", { name: "Refuse…" }).press("Enter");
    await page.keyboard.press("Enter");
    await stopButton(page).waitFor({ state: "detached" });
    await expectText(page, "an answer", log(page));
    await page.getByRole("button", { name: "View" }).last().press("Enter");
    const dialog = page.getByRole("dialog");
    await expectText(page, "changes", dialog);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: /^Context/ }).press("Enter");
    for (const part of await dialog.locator("summary").all()) await part.press("Enter");
    await expectText(page, "what the model saw");
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "detached" });
    await sendText(page, "Once more");
    await stopButton(page).waitFor({ state: "detached" });
    await log(page).locator(".failure").last().waitFor();
    await expectText(page, "a failure");
    await page.reload();
    await expectText(page, "the stored conversation", log(page));
    await page.getByRole("link", { name: "Steps" }).last().press("Enter");
    await expectText(page, "the steps of a run", page.getByRole("main"));
    await page.goto("/#/runs");
    await expectText(page, "runs", page.getByRole("main"));
  });

  it("stay texts where things are listed: conversations, files, memory, models, MCP servers, what is found", async () => {
    const workingDirectory = temporaryFolder("pergola-hostile-");
    mkdirSync(path.join(workingDirectory, `${hostileName} folder`));
    writeFileSync(path.join(workingDirectory, hostileName), forged);
    const descriptions = path.join(temporaryFolder(), "descriptions.json");
    writeFileSync(descriptions, JSON.stringify({ facts: { description: hostile } }));
    const vendor = await mockProviderServer(chatReply({ text: forged }), { models: [hostile] });
    closing.push(() => vendor.close());
    const { page, ask } = await openChat(chatReply({ text: forged }), {
      settings: { "secrets.store": "file" },
    });
    await sendText(page, forged);
    await stopButton(page).waitFor({ state: "detached" });
    const folder = await ask<{ id: string }>("POST", "/api/folders", { name: hostile });
    const topic = await ask<{ id: string }>("POST", "/api/topics", { name: hostile, description: hostile });
    const { id } = await ask<{ id: string }>("POST", "/v1/conversations", {
      workingDirectory,
      topicId: topic.id,
    });
    await ask("PATCH", `/v1/conversations/${id}`, { title: hostile, folderId: folder.id });
    await ask("POST", "/api/memories", { content: hostile, topicId: topic.id, tags: [hostile] });
    await ask("PUT", "/api/providers/vendor", {
      type: "custom",
      name: hostile.slice(0, 90),
      baseUrl: vendor.baseUrl,
    });
    const server = {
      name: "sample",
      command: process.execPath,
      args: [script],
      env: { DESCRIPTIONS: descriptions },
    };
    await ask("POST", "/api/mcp/servers", server);
    await ask("POST", "/api/mcp/servers/sample/check", {});
    await ask("POST", "/api/prompts", { name: hostile, content: hostile });
    await page.goto(`/#/c/${id}`);
    await page.reload();
    await expectText(page, "the list of conversations", page.getByRole("navigation"));
    await expectText(page, "the head of a conversation", page.getByRole("heading", { level: 1 }));
    const dialog = page.getByRole("dialog");
    await page.getByRole("button", { name: "Files" }).press("Enter");
    await dialog.getByText("Show").last().click();
    await expectText(page, "files", dialog);
    expect(await dialog.textContent()).to.include("⟨U+202E⟩");
    await page.keyboard.press("Escape");
    await page.getByRole("main").getByRole("button", { name: "Options" }).press("Enter");
    await dialog.getByText("How it answers").press("Enter");
    await dialog.getByRole("combobox", { name: "Prompt" }).waitFor();
    expect(await dialog.getByRole("textbox", { name: "Title" }).inputValue()).to.include(shown);
    await expectText(page, "options");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    await expectText(page, "what Ctrl+K finds", dialog);
    await page.keyboard.press("Escape");
    for (const view of ["memory", "models", "search/onerror"]) {
      await page.goto(`/#/${view}`);
      await page.locator(".blocks").waitFor({ state: "detached" });
      await expectText(page, view, view === "models" ? undefined : page.getByRole("main"));
    }
    await page.goto("/#/mcp");
    await page
      .getByRole("main")
      .getByText(/^\d+ tools?$/)
      .click();
    await expectText(page, "MCP servers", page.getByRole("main"));
  });

  it("stay texts in the views of plugins, settings and the check", async () => {
    const { page, project, service, start } = await openChat(undefined, {
      settings: { "memory.extraction_prompt": undefined },
    });
    const tools = path.join(project.environment["XDG_CONFIG_HOME"] ?? "", "pergola", "tools");
    mkdirSync(tools, { recursive: true });
    const code = `export default { description: ${JSON.stringify(hostile)}, effect: "none", parameters: {}, required: [],
      run: async () => "" };`;
    writeFileSync(path.join(tools, "hostile_tool.js"), code);
    writeFileSync(path.join(tools, "broken_tool.js"), `throw new Error(${JSON.stringify(hostile)});`);
    await service().end("SIGTERM");
    await start();
    for (const view of ["plugins", "check"]) {
      await page.goto(`/#/${view}`);
      await page.locator(".blocks").waitFor({ state: "detached", timeout: 20_000 });
      await expectText(page, view, page.getByRole("main"));
    }
  });
});
