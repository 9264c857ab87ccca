import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { Locator, Page } from "playwright-core";
import { temporaryFolder, type ScriptTurn } from "@pergola/sdk/testing";
import { ModelSource } from "../support/model-source.ts";
import { scenesInBrowser, turns, type PageScene } from "../support/page-scene.ts";

const log = (page: Page): Locator => page.getByRole("log");
const field = (page: Page): Locator => page.getByRole("textbox", { name: "Message" });
const card = (page: Page): Locator => page.getByRole("region", { name: /^Needs your decision/ });
const settled = (page: Page): Promise<void> => card(page).and(page.locator("[aria-busy=false]")).waitFor();

async function send(page: Page, text: string): Promise<void> {
  await field(page).fill(text);
  await page.keyboard.press("Enter");
}

const changes = (operation: string, more: object): ScriptTurn => [
  { toolCalls: [{ name: "file_operations", arguments: { operation, ...more } }] },
];

/** Has requests, such as `POST …/x`, refused as the service refuses, until their address is unrouted. */
const refuse = (page: Page, request: string, status: number, message: string) => {
  const [method = "", address = ""] = request.split(" ");
  return page.route(address, (route) => {
    if (route.request().method() !== method) return route.fallback();
    const headers = { "retry-after": "7" };
    return route.fulfill({ status, headers, json: { error: { message, code: "refused_for_a_test" } } });
  });
};

describe("what the page does where the service refuses (package chromium)", function () {
  this.timeout(60_000);
  const openScene = scenesInBrowser();
  let scene: PageScene;

  it("journey A: connects nothing and downloads nothing, says why and when to try again", async () => {
    const source = await ModelSource.open({ "tiny-Q4_K_M.gguf": { size: 3_000_000 } });
    scene = await openScene(undefined, {
      settings: {
        "providers.list": undefined,
        default_model: undefined,
        "models.overrides": undefined,
        "providers.local_servers": { lmstudio: "http://127.0.0.1:9/v1" },
        "downloads.base_url": source.url,
        "secrets.store": "file",
      },
    });
    const { page, ask } = scene;
    await page.goto("/");
    const rows = page.getByRole("region", { name: "Connect a model" });
    await rows.getByText("Use a key").press("Enter");
    const key = rows.getByLabel("Key", { exact: true });
    await key.fill("a-key-of-somebody");
    await refuse(page, "PUT **/api/providers/openai", 429, "Too many at once.");
    await rows.getByRole("button", { name: "Connect" }).press("Enter");
    await rows.getByText("Too many at once. Try again in 7 s.").waitFor();
    expect(await key.inputValue()).to.equal("");
    expect(await page.content()).to.not.include("a-key-of-somebody");
    expect(await rows.getByRole("button", { name: /^Use / }).count()).to.equal(0);

    await rows.getByText("Download a model").press("Enter");
    const model = rows.getByRole("listitem").filter({ hasText: "owner/model" });
    await refuse(page, "POST **/api/models/download", 507, "128 MiB must stay free on the disk.");
    await model.getByRole("button", { name: "Download: owner/model" }).press("Enter");
    await model.getByText(/^128 MiB must stay free on the disk\./).waitFor();
    expect(await ask("GET", "/api/models/download")).to.include({ count: 0 });
    const { providers } = await ask<{ providers: { id: string }[] }>("GET", "/api/providers");
    expect(providers.map(({ id }) => id)).to.deep.equal(["embedded"]);
    await source.close();
  });

  it("journey B: writes nothing by an approval that is refused, nor by one that was answered elsewhere", async () => {
    const file = path.join(temporaryFolder(), "out.txt");
    const write = changes("create_file", { file_path: file, content: "hello\n" });
    scene = await openScene(turns(write, { text: "As you wish." }));
    const { page, ask } = scene;
    await page.goto("/");
    await send(page, "Copy it");
    await settled(page);
    await refuse(page, "POST **/api/approvals/*", 503, "The store is busy.");
    await card(page).getByRole("button", { name: "Write 1 file" }).press("Enter");
    await card(page).getByText("The store is busy. Try again in 7 s.").waitFor();
    await page
      .getByRole("alert")
      .getByText(/The store is busy/)
      .waitFor({ state: "attached" });
    expect(existsSync(file)).to.equal(false);
    await page.unroute("**/api/approvals/*");
    const { approvals } = await ask<{ approvals: { id: string }[] }>("GET", "/api/approvals");
    await ask("POST", `/api/approvals/${approvals[0]?.id ?? ""}`, { approved: false });
    await log(page)
      .getByText(/^Another window refused this, /)
      .waitFor();
    await log(page).getByText("As you wish.").waitFor();
    expect(await page.getByRole("button", { name: "Write 1 file" }).count()).to.equal(0);
    expect(existsSync(file)).to.equal(false);
  });

  for (const status of [409, 413, 429, 503])
    it(`journey C: what is refused with ${status} when it is sent is a draft again, and nothing is lost`, async () => {
      scene = await openScene(turns({ text: "First." }, { text: "Second." }));
      const { page } = scene;
      await page.goto("/");
      await send(page, "Begin");
      await log(page).getByText("First.").waitFor();
      await page.getByRole("button", { name: /^Stop/ }).waitFor({ state: "detached" });
      await refuse(page, "POST **/api/chat/completions", status, "Not now.");
      await send(page, "Go on");
      await log(page).getByText("Not now. Try again in 7 s.").waitFor();
      expect(await field(page).inputValue()).to.equal("Go on");
      expect(await log(page).getByRole("article").count()).to.equal(2);
      await page.unroute("**/api/chat/completions");
      await field(page).press("Enter");
      await log(page).getByText("Second.").waitFor();
      expect(await log(page).getByText("Not now.").count()).to.equal(0);
      expect(await log(page).getByText("Go on", { exact: true }).count()).to.equal(1);
    });

  it("journey C: asks who somebody is once it is not known any more, and what was written stays", async () => {
    scene = await openScene();
    const { page } = scene;
    await page.goto("/");
    await field(page).fill("A draft");
    await refuse(page, "GET **/api/models", 401, "A token is needed.");
    await page.goto("/#/models");
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    expect(await page.getByRole("navigation").count()).to.equal(0);
    await page.unroute("**/api/models");
    await page.goto("/#/");
    await page.reload();
    await field(page).waitFor();
    expect(await field(page).inputValue()).to.equal("A draft");
  });

  it("journey D: takes nothing back where a file has changed since the plan was shown", async () => {
    const folder = temporaryFolder("pergola-docs-");
    const [notes, todo] = [path.join(folder, "notes.md"), path.join(folder, "todo.md")];
    writeFileSync(notes, "3 May\n");
    writeFileSync(todo, "milk\n");
    const script = turns(
      changes("replace_string", { filePath: notes, oldString: "3 May", newString: "4 May" }),
      changes("replace_string", { filePath: todo, oldString: "milk", newString: "bread" }),
      [{ text: "All done." }],
    );
    scene = await openScene(script, { settings: { "authorization.auto_approve": ["write"] } });
    const { page } = scene;
    await page.goto("/");
    await send(page, "Put it in order");
    await page.getByRole("button", { name: "View" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Changes" });
    const take = dialog.getByRole("button", { name: "Take back 2 of 2 files" });
    await take.waitFor();
    writeFileSync(todo, "bread, by hand\n");
    await take.press("Enter");
    await dialog.getByText("Nothing was taken back", { exact: true }).waitFor();
    await dialog
      .locator("summary")
      .filter({ hasText: todo })
      .getByText(/^· refused: /)
      .waitFor();
    const undo = dialog.getByRole("button", { name: "Undo this" });
    expect(await undo.count()).to.equal(0);
    expect([readFileSync(notes, "utf8"), readFileSync(todo, "utf8")]).to.deep.equal([
      "4 May\n",
      "bread, by hand\n",
    ]);
  });

  it("journey E: corrects nothing that is gone by now, and keeps what was written", async () => {
    const remember = { operation: "store_memory", content: "Lives in Berlin" };
    scene = await openScene(
      turns({ toolCalls: [{ name: "memory_operations", arguments: remember }] }, { text: "Noted." }),
    );
    const { page, ask } = scene;
    await page.goto("/");
    await send(page, "I live in Berlin");
    await log(page).getByText("Noted.").waitFor();
    await page.goto("/#/memory");
    const line = page.getByRole("main").getByRole("listitem");
    await line.getByRole("button", { name: "Correct" }).press("Enter");
    const text = page.getByRole("textbox", { name: "What is remembered" });
    await text.fill("Lives in Munich");
    const { memories } = await ask<{ memories: { id: string }[] }>("GET", "/api/memories");
    await ask("DELETE", `/api/memories/${memories[0]?.id ?? ""}`);
    await page.getByRole("button", { name: "Save" }).press("Enter");
    await line.locator("form .failure").getByText(/\S/).waitFor();
    expect(await text.inputValue()).to.equal("Lives in Munich");
    await page.getByRole("button", { name: "Keep it" }).press("Enter");
    await line.getByRole("button", { name: "Forget", exact: true }).press("Enter");
    await line.getByRole("button", { name: "Forget this" }).press("Enter");
    await line.locator(".failure").getByText(/\S/).waitFor();
    await page.reload();
    await page.getByRole("main").getByText("Nothing is remembered yet.").waitFor();
  });
});
