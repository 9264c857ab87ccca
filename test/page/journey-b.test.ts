import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { Locator, Page } from "playwright-core";
import { temporaryFolder, type MockScript, type ScriptTurn } from "@pergola/sdk/testing";
import { choose, diffLines, press, scenesInBrowser, turns, ways } from "../support/page-scene.ts";
import type { PageScene, Way } from "../support/page-scene.ts";
import { promised } from "../support/promised.ts";

const replaces = (filePath: string, oldString: string, newString: string): ScriptTurn => [
  { text: "Putting the date right." },
  {
    toolCalls: [
      {
        name: "file_operations",
        arguments: { operation: "replace_string", filePath, oldString, newString },
      },
    ],
  },
];

const runs = (command: string): ScriptTurn => [
  {
    toolCalls: [
      {
        name: "terminal_operations",
        arguments: { operation: "run_command", command, explanation: "The old files are in the way." },
      },
    ],
  },
];

const log = (page: Page): Locator => page.getByRole("log");
const cardIn = (page: Page): Locator => page.getByRole("region", { name: /^Needs your decision/ });
const settled = (page: Page): Promise<void> => cardIn(page).and(page.locator("[aria-busy=false]")).waitFor();

async function sendText(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Message" }).fill(text);
  await page.keyboard.press("Enter");
}

describe("journey B: an approval judged by its exact effect (package chromium)", function () {
  this.timeout(60_000);
  const openScene = scenesInBrowser();
  let scene: PageScene;
  const folder = temporaryFolder("pergola-docs-");
  const file = path.join(folder, "notes.md");

  beforeEach(() => writeFileSync(file, "# Trip\n3 May\nGraz\n"));

  const begin = async (script: MockScript, way: Way = "by pointer"): Promise<Page> => {
    scene = await openScene(script, { settings: { "tools.disabled": [] }, way });
    await scene.page.goto("/");
    await sendText(scene.page, "Put the dates right");
    await cardIn(scene.page).waitFor();
    return scene.page;
  };

  it("B1: shows at once what was sent and that it works, then each call with how it ended, closed", async () => {
    const [before, after] = [promised(), promised()];
    const read = { operation: "read_file", filePath: file };
    const script = turns(
      [{ until: before.promise }, { toolCalls: [{ name: "file_operations", arguments: read }] }],
      [{ until: after.promise }, { text: "Done." }],
    );
    scene = await openScene(script);
    const { page } = scene;
    await page.goto("/");
    await sendText(page, "Put the dates right");
    await log(page).getByRole("article").getByText("Put the dates right").waitFor();
    await page.getByRole("button", { name: /^Stop/ }).waitFor();
    await log(page)
      .getByText(/^Working 0:\d\d$/)
      .waitFor();
    before.keep();
    const card = log(page).locator("details.tool").filter({ hasText: "Read notes.md" });
    await card.getByText(/^done · \d+ ms$/).waitFor();
    expect(await card.getAttribute("open")).to.equal(null);
    await log(page)
      .getByText(/^Working 0:\d\d · 1 call/)
      .waitFor();
    after.keep();
    await log(page).getByText("Done.").waitFor();
    await page.getByRole("button", { name: /^Stop/ }).waitFor({ state: "detached" });
  });

  it("B2: shows path, counts and lines, the same in another window", async () => {
    const page = await begin(turns(replaces(file, "3 May", "4 May"), [{ text: "Done." }]));
    const card = cardIn(page);
    await card.locator(".diff").waitFor();
    const text = await card.textContent();
    expect(text).to.include(file).and.include("+1 −1").and.include("Can be taken back.");
    expect(text).to.match(/It asks because .*outside the working directory/);
    // What the model says stands apart.
    await log(page).locator(".prose").getByText("Putting the date right.").waitFor();
    expect(text).to.not.include("Putting the date right.");
    expect(await diffLines(card)).to.deep.equal([" # Trip", "-3 May", "+4 May", " Graz"]);
    const other = await scene.another();
    await other.goto(page.url());
    await cardIn(other).locator(".diff").waitFor();
    expect(await diffLines(cardIn(other))).to.deep.equal([" # Trip", "-3 May", "+4 May", " Graz"]);
    expect(readFileSync(file, "utf8")).to.equal("# Trip\n3 May\nGraz\n");
  });

  for (const way of ways)
    it(`B3, B4: what has changed on the disk is shown anew; then the disk is as shown, ${way}`, async () => {
      const page = await begin(turns(replaces(file, "3 May", "4 May"), [{ text: "Done." }]), way);
      const approve = async (): Promise<void> => {
        await settled(page);
        if (way === "by pointer") return cardIn(page).getByRole("button", { name: "Write 1 file" }).click();
        await page.keyboard.press("Alt+a");
        await page.keyboard.press("a");
      };
      await cardIn(page).locator(".diff").waitFor();
      writeFileSync(file, "# Trip\n3 May, by train\nGraz\n");
      await approve();
      await page.getByText("This has changed since you saw it: look again.").waitFor();
      expect(readFileSync(file, "utf8")).to.equal("# Trip\n3 May, by train\nGraz\n");
      const card = cardIn(page).filter({ hasText: "This has changed" });
      await card.locator(".diff").waitFor();
      expect(await diffLines(card)).to.deep.equal([
        " # Trip",
        "-3 May, by train",
        "+4 May, by train",
        " Graz",
      ]);
      await approve();
      await log(page).getByText("Done.").waitFor();
      await log(page)
        .getByText(/^You approved this, /)
        .last()
        .waitFor();
      expect(readFileSync(file, "utf8")).to.equal("# Trip\n4 May, by train\nGraz\n");
      const foot = log(page).locator(".run-line").filter({ hasText: "1 file changed" });
      await foot.getByText("+1 −1").waitFor();
      await foot.getByRole("button", { name: "View" }).waitFor();
      await press(page, foot.getByRole("button", { name: "Take back…" }), way);
      await page.getByRole("button", { name: "Take back 1 of 1 file" }).waitFor();
    });

  for (const way of ways)
    it(`B5: shows a command whole, its turning mark as a sign; a refusal's words reach the model, ${way}`, async () => {
      const page = await begin(turns(runs("rm -r build\u202e"), [{ text: "As you wish." }]), way);
      const card = cardIn(page);
      await card.locator(".command").waitFor();
      expect(await card.locator(".command").textContent()).to.match(
        /^\$ rm -r build(⟨U\+202E⟩|\\u\{202e\})$/,
      );
      expect(await card.textContent()).to.match(/sh in \/.* · 120 s · /);
      expect(await card.textContent()).to.include("other effects cannot");
      await settled(page);
      await press(page, card.getByRole("button", { name: "Refuse…" }), way);
      await page.keyboard.type("use npm run clean");
      await page.keyboard.press("Enter");
      await log(page).getByText("As you wish.").waitFor();
      expect(JSON.stringify(scene.project.model.requests.at(-1))).to.include("use npm run clean");
    });

  for (const way of ways)
    it(`B6: a permission for its folder lasts as long as it says, and ends when it is revoked, ${way}`, async () => {
      const second = replaces(file, "Graz", "Linz");
      const script = turns(
        replaces(file, "3 May", "4 May"),
        second,
        [{ text: "Both done." }],
        replaces(file, "Linz", "Wien"),
        [{ text: "Left." }],
      );
      const page = await begin(script, way);
      await settled(page);
      const grant = cardIn(page).getByRole("combobox", { name: "How long this is allowed" });
      await choose(page, grant, `For 5 minutes in ${path.basename(folder)}`, way);
      await press(page, cardIn(page).getByRole("button", { name: "Write 1 file" }), way);
      await log(page).getByText("Both done.").waitFor();
      await log(page)
        .getByText(/^done · allowed by you until \d\d:\d\d · /)
        .waitFor();
      await page.reload();
      await log(page)
        .getByText(/^done · allowed by you until \d\d:\d\d · /)
        .waitFor();
      expect(readFileSync(file, "utf8")).to.equal("# Trip\n4 May\nLinz\n");

      await page.goto("/#/settings/permissions");
      const row = page
        .getByRole("listitem")
        .filter({ hasText: `file_operations.replace_string in ${folder}` });
      await row.getByText(/^until \d\d:\d\d, in/).waitFor();
      await press(page, row.getByRole("button", { name: "Revoke" }), way);
      await press(page, row.getByRole("button", { name: "Revoke this" }), way);
      await page.getByText("Everything that is risky asks you first.").waitFor();
      const { grants } = await scene.ask<{ grants: unknown[] }>("GET", "/api/grants");
      expect(grants).to.deep.equal([]);

      await page.goBack();
      await sendText(page, "Once more");
      await cardIn(page).waitFor();
      expect(readFileSync(file, "utf8")).to.equal("# Trip\n4 May\nLinz\n");
    });
});
