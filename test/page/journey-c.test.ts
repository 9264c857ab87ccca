import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { temporaryFolder, type MockScript, type ScriptTurn } from "@pergola/sdk/testing";
import { gone, within } from "../support/journey-steps.ts";
import { press, reach, scenesInBrowser, turns, ways } from "../support/page-scene.ts";
import type { PageScene, Way } from "../support/page-scene.ts";
import { promised } from "../support/promised.ts";

/** 1,200 words, each with its number; the test lets the model say them in six pieces. */
const words = Array.from({ length: 1200 }, (_, index) => `word${index}`);

function fedByTest(): { readonly turn: ScriptTurn; readonly feed: (piece: number) => void } {
  const gates = Array.from({ length: 6 }, () => promised());
  const turn = gates.flatMap(({ promise }, piece) => [
    { until: promise },
    { text: words.slice(piece * 200, (piece + 1) * 200).map((word) => `${word} `) },
  ]);
  return { turn, feed: (piece) => gates[piece]?.keep() };
}

const calls = (name: string, args: object): ScriptTurn => ({
  toolCalls: [{ name, arguments: { ...args } }],
});

const log = (page: Page) => page.getByRole("log");
const field = (page: Page) => page.getByRole("textbox", { name: "Message" });
const stopButton = (page: Page) => page.getByRole("button", { name: /^Stop/ });
const stoppedCard = (page: Page) => page.getByRole("region", { name: "The service stopped during this run" });

/** The words of the answer that are there, in their order. */
const wordsOn = async (page: Page): Promise<readonly string[]> =>
  (await log(page).locator(".prose").allTextContents()).join("\n").match(/word\d+/g) ?? [];

describe("journey C: a run survives reload, lost network and restart (package chromium)", function () {
  this.timeout(60_000);
  const openScene = scenesInBrowser();
  let scene: PageScene;

  const begin = async (script: MockScript, settings = {}, way: Way = "by pointer"): Promise<Page> => {
    scene = await openScene(script, { settings: { "tools.disabled": [], ...settings }, way });
    await scene.page.goto("/");
    await field(scene.page).fill("Begin");
    await scene.page.keyboard.press("Enter");
    return scene.page;
  };
  const endOf = (page: Page, piece: number) => log(page).getByText(`word${(piece + 1) * 200 - 1}`);
  const saidUpTo = (page: Page, piece: number) => endOf(page, piece).waitFor();

  it("C1: goes on after a reload, to the whole text: no gap, nothing twice", async () => {
    const { turn, feed } = fedByTest();
    const page = await begin(turns(turn));
    feed(0);
    await saidUpTo(page, 0);
    await within("C1: the page is loaded again → the text so far", 500, () => page.reload(), endOf(page, 0));
    expect(await wordsOn(page)).to.deep.equal(words.slice(0, 200));
    for (const piece of [1, 2, 3, 4, 5]) feed(piece);
    await saidUpTo(page, 5);
    await stopButton(page).waitFor({ state: "detached" });
    expect(await wordsOn(page)).to.deep.equal(words);
  });

  for (const way of ways)
    it(`C2: is stopped in one window, and both say so with the text so far, ${way}`, async () => {
      const { turn, feed } = fedByTest();
      const page = await begin(turns(turn), {}, way);
      feed(0);
      await saidUpTo(page, 0);
      const other = await scene.another();
      await other.goto(page.url());
      await saidUpTo(other, 0);
      await within(
        "C2: “Stop” in one window → both say so",
        500,
        await reach(other, stopButton(other), way),
        ...[page, other].map((one) => one.getByText("You stopped this run")),
      );
      for (const one of [page, other]) expect(await wordsOn(one)).to.deep.equal(words.slice(0, 200));
    });

  it("C3: says that the network is gone, lets one read and write, and has the whole text when it is back", async () => {
    const { turn, feed } = fedByTest();
    const page = await begin(turns(turn));
    feed(0);
    await saidUpTo(page, 0);
    const bar = page.locator(".bar").getByText(/^Connection lost\. The run goes on\. Next try in \d+ s\.$/);
    await within("C3: the network is lost → the bar", 1000, () => page.context().setOffline(true), bar);
    feed(1);
    await field(page).pressSequentially("Meanwhile");
    expect(await field(page).inputValue()).to.equal("Meanwhile");
    expect((await wordsOn(page)).slice(0, 200)).to.deep.equal(words.slice(0, 200));
    await within(
      "C3: the network is back → no bar, and the text that was said meanwhile",
      1000,
      () => page.context().setOffline(false),
      gone(page.locator(".bar").getByText(/^Connection lost/)),
      endOf(page, 1),
    );
    for (const piece of [2, 3, 4, 5]) feed(piece);
    await saidUpTo(page, 5);
    await stopButton(page).waitFor({ state: "detached" });
    expect(await wordsOn(page)).to.deep.equal(words);
    expect(await field(page).inputValue()).to.equal("Meanwhile");
  });

  for (const way of ways)
    it(`C4–C6: is cut by kill -9, and goes on without doing anything twice, ${way}`, async () => {
      const page = await begin(
        turns(
          calls("file_operations", { operation: "create_file", filePath: "notes.md", content: "Noted.\n" }),
          calls("terminal_operations", {
            operation: "run_command",
            command: "echo run >> counted; while test -e notes.md; do sleep 0.1; done",
            explanation: "It counts its runs.",
          }),
          { text: "All done." },
        ),
        { "authorization.auto_approve": ["write", "execute"] },
        way,
      );
      const counted = (): string => {
        const folders = path.join(scene.project.data, "workspaces");
        const [folder = ""] = existsSync(folders) ? readdirSync(folders) : [];
        const file = path.join(folders, folder, "counted");
        return existsSync(file) ? readFileSync(file, "utf8") : "";
      };
      while (counted() === "") await setTimeout(20);
      await field(page).fill("A draft");
      await within(
        "C4: the service is killed → the bar",
        2000,
        () => scene.service().end("SIGKILL"),
        page.locator(".bar").getByText(/^The service cannot be reached\./),
      );
      expect(await field(page).inputValue()).to.equal("A draft");

      const card = stoppedCard(page);
      const count = card.getByText("1 call done, 1 with unknown outcome");
      await within("C5: the service is started → what it did, and a choice", 3000, scene.start, count);
      await press(page, card.getByRole("button", { name: "Go on" }), way);
      await log(page).getByText("All done.").waitFor();
      await stopButton(page).waitFor({ state: "detached" });
      expect(counted()).to.equal("run\n");
      expect(await field(page).inputValue()).to.equal("A draft");
      await page.reload();
      await log(page)
        .getByText(/^The service stopped during this call; its outcome is unknown\./)
        .waitFor();
    });

  it("C6: goes on once, and is drawn once, where its state is known before its events", async () => {
    const file = path.join(temporaryFolder("pergola-once-"), "once.md");
    const page = await begin(
      turns(
        [{ text: "And now" }, { hang: true }],
        calls("file_operations", { operation: "create_file", filePath: file, content: "Once.\n" }),
        { text: "All done." },
      ),
    );
    await log(page).getByText("And now").waitFor();
    await scene.service().end("SIGKILL");
    await scene.start();
    const goesOn = await reach(page, stoppedCard(page).getByRole("button", { name: "Go on" }), "by pointer");
    const events = promised();
    await page.route(/\/api\/runs\/[^/]+\/events/, async (route) => {
      await events.promise;
      await route.continue();
    });
    await goesOn();
    await page.getByRole("link", { name: /^Waiting\s*1/ }).waitFor();
    events.keep();
    const card = page.getByRole("region", { name: /^Needs your decision/ });
    await card.and(page.locator("[aria-busy=false]")).waitFor();
    await card.getByRole("button", { name: "Write 1 file" }).click();
    await stopButton(page).waitFor({ state: "detached" });
    expect(await log(page).getByText("All done.").count()).to.equal(1);
  });

  it("C5: is ended by hand after a restart, in every window", async () => {
    const page = await begin(
      turns(
        calls("file_operations", { operation: "create_file", filePath: "notes.md", content: "Noted.\n" }),
        [{ text: "And now" }, { hang: true }],
      ),
    );
    await log(page).getByText("And now").waitFor();
    const other = await scene.another();
    await other.goto(page.url());
    await log(other).getByText("And now").waitFor();
    await scene.service().end("SIGKILL");
    await scene.start();
    for (const one of [page, other])
      await stoppedCard(one).getByText("1 call done").waitFor({ timeout: 20_000 });
    await stoppedCard(other).getByRole("button", { name: "End here" }).click();
    for (const one of [page, other]) await one.getByText("You stopped this run").waitFor();
    expect(await stoppedCard(page).count()).to.equal(0);
    await page
      .locator(".bar")
      .getByText(/^The service cannot be reached/)
      .waitFor({ state: "detached" });
  });

  for (const way of ways)
    it(`C7: is approved after a restart, in another browser, and goes on from there, ${way}`, async () => {
      const file = path.join(temporaryFolder("pergola-late-"), "late.md");
      const page = await begin(
        turns(calls("file_operations", { operation: "create_file", filePath: file, content: "Late.\n" }), {
          text: "Written.",
        }),
        {},
        way,
      );
      await page.getByRole("region", { name: /^Needs your decision/ }).waitFor();
      await scene.service().end("SIGKILL");
      await scene.start();
      const context = await scene.page.context().browser()!.newContext({ baseURL: scene.url });
      const fresh = await context.newPage();
      await fresh.goto("/#/waiting");
      const card = fresh.getByRole("region", { name: /^Needs your decision/ });
      await card.and(fresh.locator("[aria-busy=false]")).waitFor();
      await within(
        "C7: approved after a restart, in another browser → the run goes on",
        1000,
        await reach(fresh, card.getByRole("button", { name: "Write 1 file" }), way),
        () => existsSync(file),
        fresh.getByText(/^You approved this, /),
      );
      await log(page).getByText("Written.").waitFor({ timeout: 20_000 });
      expect(readFileSync(file, "utf8")).to.equal("Late.\n");
      await context.close();
    });
});
