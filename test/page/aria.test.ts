import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { Locator, Page } from "playwright-core";
import { temporaryFolder, type ScriptTurn } from "@pergola/sdk/testing";
import { shown } from "../support/chat-page.ts";
import { scenesInBrowser, turns } from "../support/page-scene.ts";
import { withoutVarying } from "../support/without-varying.ts";

/** Set to write the snapshots anew, which then are to be read. */
const isMaking = process.env["PERGOLA_ARIA"] === "1";

const write = (file: string): ScriptTurn => [
  { text: "Copying it." },
  {
    toolCalls: [
      {
        name: "file_operations",
        arguments: { operation: "create_file", file_path: file, content: "hello\n" },
      },
    ],
  },
];

describe("what a screen reader is given (package chromium)", function () {
  this.timeout(60_000);
  const openScene = scenesInBrowser();

  /** Compares the roles, names and states of a part of the page with those of the snapshot. */
  const expectLike = async (part: Locator, name: string): Promise<void> => {
    const found = withoutVarying(await part.ariaSnapshot());
    const file = path.join(import.meta.dirname, "aria", `${name}.txt`);
    if (isMaking) writeFileSync(file, `${found}\n`);
    expect(existsSync(file), `${name}: make it by PERGOLA_ARIA=1`).to.equal(true);
    expect(found, name).to.equal(readFileSync(file, "utf8").trimEnd());
  };
  const whole = (page: Page): Locator => page.locator("#page");
  const send = async (page: Page, text: string): Promise<void> => {
    await page.getByRole("textbox", { name: "Message" }).fill(text);
    await page.keyboard.press("Enter");
  };

  it("names each part of a chat: new, waiting for a decision, and answered", async () => {
    const { page } = await openScene(
      turns(write(path.join(temporaryFolder(), "out.txt")), { text: "Done." }),
    );
    await page.goto("/");
    await page.getByRole("combobox", { name: "Model" }).waitFor();
    await expectLike(whole(page), "new");
    await send(page, "Copy it");
    const card = page.getByRole("region", { name: /^Needs your decision/ });
    await card.and(page.locator("[aria-busy=false]")).waitFor();
    await card.locator(".diff").waitFor();
    await expectLike(card, "approval");
    await card.getByRole("button", { name: "Write 1 file" }).press("Enter");
    await shown(page).getByText("Done.").waitFor();
    await page.getByRole("button", { name: /^Stop/ }).waitFor({ state: "detached" });
    await shown(page).getByText("1 file changed").waitFor();
    await page.getByRole("heading", { name: "Copy it", level: 1 }).waitFor();
    await page.getByRole("button", { name: /^Context \d/ }).waitFor();
    await expectLike(page.getByRole("main"), "answer");
    await page.getByRole("main").getByRole("button", { name: "Options" }).press("Enter");
    await shown(page).getByText("How it answers").press("Enter");
    await page.getByRole("combobox", { name: "Prompt" }).waitFor();
    // What there is to choose from is not the page's.
    await page.evaluate("document.querySelectorAll('dialog option + option').forEach((one) => one.remove())");
    await expectLike(page.getByRole("dialog"), "options");
    await page.keyboard.press("Escape");
    await page.keyboard.press("Control+k");
    await page.getByRole("searchbox", { name: "Go to" }).waitFor();
    await expectLike(page.getByRole("dialog"), "palette");
  });

  it("names each part of memory, runs, settings and signing in", async () => {
    const remember = { operation: "store_memory", content: "Lives in Berlin" };
    const call: ScriptTurn = { toolCalls: [{ name: "memory_operations", arguments: remember }] };
    const { page } = await openScene(turns(call, { text: "Noted." }));
    await page.goto("/");
    await send(page, "I live in Berlin");
    await shown(page).getByText("Noted.").waitFor();
    await page.getByRole("heading", { name: "I live in Berlin", level: 1 }).waitFor();
    await page.getByRole("button", { name: /^Stop/ }).waitFor({ state: "detached" });
    const main = page.getByRole("main");
    await page.goto("/#/memory");
    await shown(page).getByText("1 remembered").waitFor();
    await expectLike(main, "memory");
    await page.goto("/#/runs");
    await main.getByText(/^Done · /).waitFor();
    await expectLike(main, "runs");
    await page.goto("/#/settings/permissions");
    await shown(page).getByText("Everything that is risky asks you first.").waitFor();
    await expectLike(main.locator("details[open]"), "permissions");
    await page.route("**/api/models", (route) => route.fulfill({ status: 401, json: {} }));
    await page.goto("/#/models");
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    await expectLike(main, "sign-in");
  });

  it("shows without the page's colours where one is, what has the focus, and what a file gains and loses", async () => {
    const { page } = await openScene(turns(write(path.join(temporaryFolder(), "out.txt"))), {
      forcedColors: true,
    });
    await page.goto("/");
    await send(page, "Copy it");
    await page.locator(".diff").waitFor();
    const row = page.getByRole("navigation").locator("[aria-current=page]");
    await row.waitFor();
    const styleOf = (element: string, name: string): Promise<string> =>
      page.evaluate<string>(`getComputedStyle(${element}).${name}`);
    expect(await styleOf("document.querySelector('nav .row[aria-current]')", "outlineStyle")).to.equal(
      "solid",
    );
    await page.getByRole("button", { name: "Write 1 file" }).focus();
    await page.keyboard.press("Shift+Tab");
    await page.keyboard.press("Tab");
    expect(await styleOf("document.activeElement", "outlineStyle")).to.equal("solid");
    expect(await styleOf("document.activeElement", "borderStyle")).to.equal("solid");
    const added = page.locator(".diff .added").first();
    expect(await added.textContent()).to.match(/\+.*added, line 1: .*hello/);
  });
});
