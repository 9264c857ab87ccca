import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { Locator, Page } from "playwright-core";
import { temporaryFolder, type ScriptTurn } from "@pergola/sdk/testing";
import { chatsInBrowser, log, openCard, sendText, shown, stopButton, writes } from "../support/chat-page.ts";
import { turns } from "../support/page-scene.ts";

interface Request {
  readonly method: string;
  /** A pattern of its address. */
  readonly address: string;
}

interface Trial extends Request {
  /** What a person does that sends it. */
  readonly act: () => Promise<unknown>;
  /** Where it is told why nothing came of it. */
  readonly place: Locator;
  /** Fails where something was done all the same, or what was written is lost. */
  readonly check: () => Promise<unknown>;
}

const refusals = [409, 413, 429, 503] as const;

/** Has what is asked refused, or its connection cut: each time the page says why, and nothing is lost. */
async function tryAll(page: Page, { method, address, act, place, check }: Trial): Promise<void> {
  const during = async (answer: number | "cut", words: string): Promise<void> => {
    await page.route(address, (route) => {
      if (route.request().method() !== method) return route.fallback();
      if (answer === "cut") return route.abort("connectionreset");
      const headers = { "retry-after": "7" };
      const error = { message: `Refused with ${answer}.`, code: "refused_for_a_test" };
      return route.fulfill({ status: answer, headers, json: { error } });
    });
    await act();
    await place.getByText(words).first().waitFor();
    await check();
    await page.unroute(address);
  };
  for (const status of refusals) await during(status, `Refused with ${status}. Try again in 7 s.`);
  await during("cut", "The service cannot be reached.");
}

/** The same where the caller is not known any more: the page asks who it is. */
async function tryUnknown(page: Page, { method, address, act, check }: Trial): Promise<void> {
  await page.route(address, (route) => {
    if (route.request().method() !== method) return route.fallback();
    return route.fulfill({
      status: 401,
      json: { error: { message: "A token is needed.", code: "no_token" } },
    });
  });
  await act();
  await page.getByRole("heading", { name: "Sign in" }).waitFor();
  await check();
  await page.unroute(address);
  await page.reload();
}

const changes = (operation: string, more: object): ScriptTurn => [
  { toolCalls: [{ name: "file_operations", arguments: { operation, ...more } }] },
];

describe("where each route of a journey refuses, the page (package chromium)", function () {
  this.timeout(60_000);
  const openChat = chatsInBrowser();

  it("connects no model, and keeps no key (A)", async () => {
    const { page, ask } = await openChat(undefined, {
      settings: {
        "providers.list": undefined,
        default_model: undefined,
        "models.overrides": undefined,
        "providers.local_servers": { lmstudio: "http://127.0.0.1:9/v1" },
        "secrets.store": "file",
      },
    });
    const rows = page.getByRole("region", { name: "Connect a model" });
    await rows.getByText("Use a key").press("Enter");
    const key = rows.getByLabel("Key", { exact: true });
    const trial = {
      method: "PUT",
      address: "**/api/providers/openai",
      place: rows,
      act: async () => {
        await key.fill("a-key-of-somebody");
        await rows.getByRole("button", { name: "Connect" }).press("Enter");
      },
      check: async () => {
        const { providers } = await ask<{ providers: { id: string }[] }>("GET", "/api/providers");
        expect(providers.map(({ id }) => id)).to.deep.equal(["embedded"]);
        expect(await page.content()).to.not.include("a-key-of-somebody");
      },
    };
    await tryAll(page, trial);
    await tryUnknown(page, trial);
    await rows.getByText("Use a key").waitFor();
  });

  it("writes nothing, and lets one decide again (B)", async () => {
    const file = path.join(temporaryFolder(), "out.txt");
    const { page } = await openChat(turns(writes(file), { text: "All done." }));
    await sendText(page, "Copy it");
    await openCard(page);
    const card = page.getByRole("region", { name: /^Needs your decision/ });
    const trial = {
      method: "POST",
      address: "**/api/approvals/*",
      place: card,
      act: () => card.getByRole("button", { name: "Write 1 file" }).press("Enter"),
      check: async () => expect(existsSync(file)).to.equal(false),
    };
    await tryAll(page, trial);
    await tryUnknown(page, trial);
    await openCard(page);
    await trial.act();
    await log(page).getByText("All done.").waitFor();
    expect(readFileSync(file, "utf8")).to.equal("hello\n");
  });

  it("goes on with a run that it could not stop, and stops it then (C)", async () => {
    const { page } = await openChat(turns([{ text: "Slowly" }, { hang: true }]));
    await sendText(page, "Begin");
    await log(page).getByText("Slowly").waitFor();
    const trial = {
      method: "POST",
      address: "**/api/runs/*/cancel",
      place: page.getByRole("alert"),
      act: () => page.keyboard.press("Control+."),
      check: () => stopButton(page).waitFor(),
    };
    let status: number = refusals[0];
    await page.route(trial.address, (route) => {
      const error = { message: `Refused with ${status}.`, code: "refused_for_a_test" };
      return route.fulfill({ status, json: { error } });
    });
    for (status of refusals) {
      await trial.act();
      await trial.place.getByText(`Refused with ${status}.`).waitFor({ state: "attached" });
      await trial.check();
    }
    await page.unroute(trial.address);
    await trial.act();
    await log(page).getByText("You stopped this run").waitFor();
  });

  it("takes nothing back, and shows why no difference is shown (D)", async () => {
    const file = path.join(temporaryFolder("pergola-docs-"), "notes.md");
    writeFileSync(file, "3 May\n");
    const script = turns(
      changes("replace_string", { filePath: file, oldString: "3 May", newString: "4 May" }),
      [{ text: "All done." }],
    );
    const { page } = await openChat(script, { settings: { "authorization.auto_approve": ["write"] } });
    await sendText(page, "Put it right");
    await page.getByRole("button", { name: "View" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "Changes" });
    const take = dialog.getByRole("button", { name: "Take back 1 of 1 file" });
    await take.and(page.locator(":enabled")).waitFor();
    const trial = {
      method: "POST",
      address: "**/api/runs/*/revert",
      place: dialog,
      act: () => take.press("Enter"),
      check: async () => expect(readFileSync(file, "utf8")).to.equal("4 May\n"),
    };
    await tryAll(page, trial);
    const entry = dialog.locator("details").filter({ hasText: file });
    await tryAll(page, {
      method: "GET",
      address: "**/api/changes/*/diff?**",
      place: entry,
      act: async () => {
        await page.reload();
        await page.getByRole("button", { name: "View" }).press("Enter");
        await entry.locator("summary").first().press("Enter");
      },
      check: () => entry.getByRole("button", { name: "Try again" }).waitFor(),
    });
    await entry.getByRole("button", { name: "Try again" }).press("Enter");
    await entry.locator(".diff").waitFor();
    await tryUnknown(page, trial);
    await page.getByRole("button", { name: "View" }).press("Enter");
    await take.and(page.locator(":enabled")).waitFor();
    await take.press("Enter");
    await dialog.getByText("1 file taken back").first().waitFor();
    expect(readFileSync(file, "utf8")).to.equal("3 May\n");
  });

  it("neither corrects nor forgets nor adds, and keeps what was written (E)", async () => {
    const { page, ask } = await openChat();
    const { id } = await ask<{ id: string }>("POST", "/v1/conversations", { title: "A talk" });
    await ask("POST", "/api/memories", { content: "Lives in Berlin", conversationId: id });
    await page.goto("/#/memory");
    const line = page.getByRole("main").getByRole("listitem");
    await line.getByRole("button", { name: "Correct" }).press("Enter");
    const text = page.getByRole("textbox", { name: "What is remembered" });
    await text.fill("Lives in Munich");
    const contents = async (): Promise<readonly string[]> =>
      (await ask<{ memories: { content: string }[] }>("GET", "/api/memories")).memories.map(
        (one) => one.content,
      );
    const correct = {
      method: "PATCH",
      address: "**/api/memories/*",
      place: line,
      act: () => line.getByRole("button", { name: "Save" }).press("Enter"),
      check: async () => {
        expect(await text.inputValue()).to.equal("Lives in Munich");
        expect(await contents()).to.deep.equal(["Lives in Berlin"]);
      },
    };
    await tryAll(page, correct);
    await correct.act();
    await line.getByText("Lives in Munich", { exact: true }).waitFor();
    await shown(page).getByText("Remember something").press("Enter");
    const note = page.getByRole("textbox", { name: "What to remember" });
    await note.fill("The cleaner comes at nine");
    const add = {
      method: "POST",
      address: "**/api/memories",
      place: page.getByRole("main"),
      act: () => page.getByRole("button", { name: "Remember", exact: true }).press("Enter"),
      check: async () => {
        expect(await note.inputValue()).to.equal("The cleaner comes at nine");
        expect(await contents()).to.deep.equal(["Lives in Munich"]);
      },
    };
    await tryAll(page, add);
    const forget = {
      method: "DELETE",
      address: "**/api/memories/*",
      place: line,
      act: async () => {
        await line.getByRole("button", { name: "Forget", exact: true }).press("Enter");
        await line.getByRole("button", { name: "Forget this" }).press("Enter");
      },
      check: async () => expect(await contents()).to.deep.equal(["Lives in Munich"]),
    };
    await tryAll(page, forget);
    await tryUnknown(page, forget);
    await forget.act();
    await shown(page).getByText("Nothing is remembered yet.").waitFor();
  });
});
