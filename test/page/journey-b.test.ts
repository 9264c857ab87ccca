import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { Locator, Page } from "playwright-core";
import { temporaryFolder, type MockScript, type ScriptTurn } from "@pergola/sdk/testing";
import { shown } from "../support/chat-page.ts";
import { noteStep, within } from "../support/journey-steps.ts";
import { choose, diffLines, press, reach, scenesInBrowser, turns, ways } from "../support/page-scene.ts";
import type { PageScene, Way } from "../support/page-scene.ts";
import { promised } from "../support/promised.ts";

/** The model replaces a text in a file, once it may speak. */
const replaces = (
  filePath: string,
  oldString: string,
  newString: string,
  mayBegin = Promise.resolve(),
): ScriptTurn => [
  { until: mayBegin },
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

/** Milliseconds from the next key to the frame in which the log has a message, by the page's own clock. */
const timeOfMessage = `new Promise((resolve) => addEventListener("keydown", ({ timeStamp }) => {
  const look = () =>
    document.querySelector("[role=log] article") === null
      ? requestAnimationFrame(look)
      : resolve(performance.now() - timeStamp);
  requestAnimationFrame(look);
}, { capture: true, once: true }))`;

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

  const send = async (script: MockScript, way: Way = "by pointer"): Promise<Page> => {
    scene = await openScene(script, { settings: { "tools.disabled": [] }, way });
    await scene.page.goto("/");
    await sendText(scene.page, "Put the dates right");
    return scene.page;
  };
  const begin = async (script: MockScript, way: Way): Promise<Page> => {
    const page = await send(script, way);
    await cardIn(page).waitFor();
    return page;
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
    await page.getByRole("textbox", { name: "Message" }).fill("Put the dates right");
    await page.evaluate(`void (window.timeOfMessage = ${timeOfMessage})`);
    await within(
      "B1: a message is sent → the run works",
      100,
      () => page.keyboard.press("Enter"),
      page.getByRole("button", { name: /^Stop/ }),
    );
    const took = await page.evaluate<number>("window.timeOfMessage");
    noteStep({ step: "B1: a message is sent → it stands there, in the next frame", bound: 17, took });
    await log(page).getByRole("article").getByText("Put the dates right").waitFor();
    await log(page)
      .getByText(/^Working 0:\d\d$/)
      .waitFor();
    const card = log(page).locator("details.tool").filter({ hasText: "Read notes.md" });
    const done = card.getByText(/^done · \d+ ms$/);
    await within("B1: the model reads a file → the card says that it is done", 100, before.keep, done);
    expect(await card.getAttribute("open")).to.equal(null);
    await log(page)
      .getByText(/^Working 0:\d\d · 1 call/)
      .waitFor();
    after.keep();
    await log(page).getByText("Done.").waitFor();
    await page.getByRole("button", { name: /^Stop/ }).waitFor({ state: "detached" });
  });

  it("B2: shows path, counts and lines, the same in another window", async () => {
    const asks = promised();
    const script = turns(replaces(file, "3 May", "4 May", asks.promise), [{ text: "Done." }]);
    const page = await send(script);
    const other = await scene.another();
    await page.waitForURL(/#\/c\/./);
    await other.goto(page.url());
    for (const one of [page, other]) await one.getByRole("button", { name: /^Stop/ }).waitFor();
    // A window behind another draws once a second.
    await page.bringToFront();
    const card = cardIn(page);
    const signs = (one: Page) => [
      cardIn(one).locator(".diff"),
      one.getByRole("link", { name: /^Waiting\s*1/ }),
    ];
    const ask = () =>
      within("B2: the model wants to write → the question with its diff", 300, asks.keep, ...signs(page));
    await within("B2: the same, in a second window", 300, ask, ...signs(other));
    const text = await card.textContent();
    expect(text).to.include(file).and.include("+1 −1").and.include("Can be taken back.");
    expect(text).to.match(/It asks because .*outside the working directory/);
    // What the model says stands apart.
    await log(page).locator(".prose").getByText("Putting the date right.").waitFor();
    expect(text).to.not.include("Putting the date right.");
    expect(await diffLines(card)).to.deep.equal([" # Trip", "-3 May", "+4 May", " Graz"]);
    expect(await diffLines(cardIn(other))).to.deep.equal([" # Trip", "-3 May", "+4 May", " Graz"]);
    expect(readFileSync(file, "utf8")).to.equal("# Trip\n3 May\nGraz\n");
  });

  for (const way of ways)
    it(`B3, B4: what has changed on the disk is shown anew; then the disk is as shown, ${way}`, async () => {
      const page = await begin(turns(replaces(file, "3 May", "4 May"), [{ text: "Done." }]), way);
      const approval = async (): Promise<() => Promise<void>> => {
        await settled(page);
        if (way === "by pointer")
          return () => cardIn(page).getByRole("button", { name: "Write 1 file" }).click();
        await page.keyboard.press("Alt+a");
        return () => page.keyboard.press("a");
      };
      await cardIn(page).locator(".diff").waitFor();
      writeFileSync(file, "# Trip\n3 May, by train\nGraz\n");
      const card = cardIn(page).filter({ hasText: "This has changed since you saw it: look again." });
      const shown = card.locator(".diff");
      await within("B3: “Write 1 file” for another file → the new diff", 500, await approval(), shown);
      expect(readFileSync(file, "utf8")).to.equal("# Trip\n3 May, by train\nGraz\n");
      expect(await diffLines(card)).to.deep.equal([
        " # Trip",
        "-3 May, by train",
        "+4 May, by train",
        " Graz",
      ]);
      const foot = log(page).locator(".run-line").filter({ hasText: "1 file changed" });
      await within(
        "B4: “Write 1 file” → it is written, and the run's end says so",
        500,
        await approval(),
        () => readFileSync(file, "utf8") === "# Trip\n4 May, by train\nGraz\n",
        log(page)
          .getByText(/^You approved this, /)
          .last(),
        log(page).getByText("Done."),
        foot.getByText("+1 −1"),
        foot.getByRole("button", { name: "View" }),
      );
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
      await within(
        "B5: a refusal is sent → the model has its words",
        500,
        () => page.keyboard.press("Enter"),
        () => JSON.stringify(scene.project.model.requests.at(-1)).includes("use npm run clean"),
      );
      await log(page).getByText("As you wish.").waitFor();
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
      await within(
        "B6: “Write 1 file” for 5 minutes → the next is written without a question",
        300,
        await reach(page, cardIn(page).getByRole("button", { name: "Write 1 file" }), way),
        log(page).getByText(/^done · allowed by you until \d\d:\d\d · /),
      );
      await log(page).getByText("Both done.").waitFor();
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
      await within(
        "B6: “Revoke this” → nothing is allowed any more",
        300,
        await reach(page, row.getByRole("button", { name: "Revoke this" }), way),
        shown(page).getByText("Everything that is risky asks you first."),
      );
      const { grants } = await scene.ask<{ grants: unknown[] }>("GET", "/api/grants");
      expect(grants).to.deep.equal([]);

      await page.goBack();
      await page.getByRole("textbox", { name: "Message" }).fill("Once more");
      const enter = () => page.keyboard.press("Enter");
      await within("B6: a message after that → it asks again", 300, enter, cardIn(page));
      expect(readFileSync(file, "utf8")).to.equal("# Trip\n4 May\nLinz\n");
    });
});
