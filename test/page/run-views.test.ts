import { expect } from "chai";
import type { Page } from "playwright-core";
import { temporaryFolder } from "@pergola/sdk/testing";
import path from "node:path";
import { shown } from "../support/chat-page.ts";
import { accessibilityFaults, isTooWide } from "../support/accessibility.ts";
import { scenesInBrowser, turns, type PageScene } from "../support/page-scene.ts";
import { promised } from "../support/promised.ts";

const log = (page: Page) => page.getByRole("log");
const stopButton = (page: Page) => page.getByRole("button", { name: /^Stop/ });

describe("the page's views of runs, branches and changes (package chromium)", function () {
  this.timeout(60_000);
  const openScene = scenesInBrowser();
  let scene: PageScene;

  const send = async (page: Page, text: string, answer: string): Promise<void> => {
    await page.getByRole("textbox", { name: "Message" }).fill(text);
    await page.keyboard.press("Enter");
    await log(page).getByText(answer, { exact: true }).waitFor();
  };

  it("shows a run step by step, with who did what", async () => {
    const file = path.join(temporaryFolder(), "out.txt");
    const write = { operation: "create_file", file_path: file, content: "hello\n", overwrite: true };
    const calls = { toolCalls: [{ name: "file_operations", arguments: write }] };
    scene = await openScene(turns(calls, { text: "All done." }));
    const { page } = scene;
    await page.goto("/");
    await page.getByRole("textbox", { name: "Message" }).fill("Copy it");
    await page.keyboard.press("Enter");
    const card = page.getByRole("region", { name: /^Needs your decision/ });
    await card.and(page.locator("[aria-busy=false]")).waitFor();
    await card.getByRole("button", { name: "Write 1 file" }).click();
    await log(page).getByText("All done.").waitFor();
    await page.getByRole("link", { name: "Steps" }).click();
    await page.getByRole("heading", { name: "Run", level: 1 }).waitFor();
    const steps = page.locator(".line");
    await steps
      .filter({ hasText: "Model answered" })
      .first()
      .getByText(/tokens/)
      .waitFor();
    await steps
      .filter({ hasText: "Called a tool" })
      .getByText(/^tool-file-operations · /)
      .waitFor();
    const asked = steps.filter({ hasText: "Asked you" });
    await asked.getByText("Before and after").click();
    await asked.locator("pre").getByText("approved").waitFor();
    expect([await accessibilityFaults(page), await isTooWide(page)]).to.deep.equal([[], false]);
    await page.getByRole("link", { name: "Open chat" }).click();
    await log(page).getByText("All done.").waitFor();
  });

  it("stops a run from its steps, and says under Models what the month's runs have cost", async () => {
    scene = await openScene(turns([{ text: "Slowly" }, { hang: true }]));
    const { page } = scene;
    await page.goto("/");
    await send(page, "Now slowly", "Slowly");
    await page.getByRole("link", { name: "Runs" }).click();
    await page.getByRole("listitem").filter({ hasText: "Working" }).getByRole("link").first().click();
    await page.getByRole("heading", { name: "Run", level: 1 }).waitFor();
    await stopButton(page).click();
    await shown(page)
      .getByText(/You stopped this run/)
      .waitFor();
    await page.goto("/#/models");
    for (const place of [page.getByRole("main"), page.getByRole("navigation")])
      await place.getByText(/^(\$[\d.]+|No price known) this month · 1 run/).waitFor();
  });

  it("shows the runs of a state and a time, each as it changes", async () => {
    const rest = promised();
    scene = await openScene(turns({ text: "Done at once." }, [{ text: "Slowly" }, { until: rest.promise }]));
    const { page } = scene;
    await page.goto("/");
    await send(page, "At once", "Done at once.");
    await page.getByRole("link", { name: "New", exact: true }).click();
    await send(page, "Now slowly", "Slowly");
    await page.getByRole("link", { name: "Runs" }).click();
    const lines = page.locator(".line");
    const expectRuns = async (...states: readonly RegExp[]): Promise<void> => {
      for (const [at, state] of states.entries()) await lines.nth(at).getByText(state).waitFor();
      await lines.nth(states.length).waitFor({ state: "detached" });
    };
    await expectRuns(/^Working · /, /^Done · /);
    const state = page.getByRole("combobox", { name: "State" });
    await state.selectOption("Working");
    await expectRuns(/^Working · /);
    expect([await accessibilityFaults(page), await isTooWide(page)]).to.deep.equal([[], false]);
    rest.keep();
    await shown(page).getByText("No such runs.").waitFor();
    await state.selectOption("Ended");
    await page.getByRole("combobox", { name: "Time" }).selectOption("Today");
    await expectRuns(/^Done · /, /^Done · /);
    const { runs } = await scene.ask<{ runs: readonly { readonly createdAt: string }[] }>("GET", "/api/runs");
    const later = new Date(Date.parse(runs[0]!.createdAt) + 1).toISOString();
    const { count } = await scene.ask<{ count: number }>("GET", `/api/runs?from=${later}`);
    const { count: one } = await scene.ask<{ count: number }>("GET", `/api/runs?from=${runs[0]!.createdAt}`);
    expect([count, one]).to.deep.equal([0, 1]);
  });

  it("makes a branch of an edited message and of another answer, and goes to and fro", async () => {
    scene = await openScene(turns({ text: "First." }, { text: "Second." }, { text: "Third." }));
    const { page } = scene;
    await page.goto("/");
    await send(page, "Say one", "First.");
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByRole("textbox", { name: "Your message" }).fill("Say two");
    await page.getByRole("button", { name: "Send this instead" }).click();
    await log(page).getByText("Second.", { exact: true }).waitFor();
    await log(page).getByText("2 of 2").waitFor();
    expect(await log(page).getByText("First.").count()).to.equal(0);
    expect(JSON.stringify(scene.project.model.requests.at(-1)?.body)).to.not.include("Say one");

    await page.getByRole("button", { name: "Branch before" }).press("Enter");
    await page.locator(".message:focus").getByText("Say one").waitFor();
    await log(page).getByText("First.", { exact: true }).waitFor();
    await log(page).getByText("1 of 2").waitFor();
    // They go around, and B does so from the message that has the focus.
    await page.getByRole("button", { name: "Branch before" }).press("Enter");
    await page.locator(".message:focus").getByText("Say two").waitFor();
    await log(page).getByText("2 of 2").waitFor();
    await page.keyboard.press("b");
    await page.locator(".message:focus").getByText("Say one").waitFor();
    await log(page).getByText("First.", { exact: true }).waitFor();
    await log(page).getByText("1 of 2").waitFor();

    await page.getByRole("button", { name: "Answer again" }).click();
    await log(page).getByText("Third.", { exact: true }).waitFor();
    await log(page).getByText("2 of 2").waitFor();
    expect(await log(page).getByText("Say one").count()).to.equal(1);

    // On a telephone they stay beside each other.
    await page.setViewportSize({ width: 390, height: 844 });
    const tops = await page
      .getByRole("button", { name: /^Branch / })
      .evaluateAll((buttons) => buttons.map((button) => button.getBoundingClientRect().top));
    expect(tops.length).to.be.greaterThan(1);
    for (let at = 0; at < tops.length; at += 2) expect(tops[at]).to.equal(tops[at + 1]);
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await page.reload();
    await log(page).getByText("Third.", { exact: true }).waitFor();
    await log(page).getByText("2 of 2").waitFor();
  });

  it("is quiet while nothing happens, hears of changes and what it missed, and else asks", async () => {
    scene = await openScene();
    const { page } = scene;
    await page.clock.install();
    await page.goto("/");
    const list = page.getByRole("navigation", { name: "Conversations" });
    const add = (title: string) => scene.ask("POST", "/v1/conversations", { title });
    await add("The first");
    await list.getByText("The first").waitFor();
    const asked: string[] = [];
    page.on("request", (request) => asked.push(request.url()));
    await page.clock.runFor(10_000);
    await add("The second");
    await list.getByText("The second").waitFor();
    expect(asked).to.deep.equal([]);
    await page.context().setOffline(true);
    await page
      .locator(".bar")
      .getByText(/^Connection lost\./)
      .waitFor();
    await add("The third");
    await page.context().setOffline(false);
    await list.getByText("The third").waitFor();

    // Where nothing tells of changes, it asks every two seconds.
    await page.route("**/api/events?*", (route) => route.fulfill({ status: 404, json: {} }));
    await page.reload();
    await list.getByText("The third").waitFor();
    await add("The fourth");
    await list.getByText("The fourth").waitFor();
  });

  it("reads one stream of changes for all windows of a browser, and goes on when the one that reads closes", async () => {
    scene = await openScene();
    const { page: first } = scene;
    const asked: string[] = [];
    const [second, third] = [await scene.another(), await scene.another()];
    for (const [name, page] of Object.entries({ first, second, third }))
      page.on("request", (request) => {
        if (request.url().includes("/api/events")) asked.push(name);
      });
    const shows = (page: Page, title: string) =>
      page.getByRole("navigation", { name: "Conversations" }).getByText(title).waitFor();
    const add = (title: string) => scene.ask("POST", "/v1/conversations", { title });
    await first.goto("/");
    await add("The first");
    await shows(first, "The first");
    await second.goto("/");
    await third.goto("/");
    await Promise.all([second, third].map((page) => shows(page, "The first")));
    await add("The second");
    await Promise.all([first, second, third].map((page) => shows(page, "The second")));
    expect(asked).to.deep.equal(["first"]);

    await first.close();
    await add("The third");
    await Promise.all([second, third].map((page) => shows(page, "The third")));
    // Whichever of the two comes first.
    expect(asked[1]).to.be.oneOf(["second", "third"]);
    expect(asked).to.have.length(2);

    const bars = [second, third].map((page) =>
      page.locator(".bar").getByText("The service cannot be reached."),
    );
    await scene.service().end("SIGKILL");
    await Promise.all(bars.map((bar) => bar.waitFor()));
    await scene.start();
    await add("The fourth");
    await Promise.all([second, third].map((page) => shows(page, "The fourth")));
    await Promise.all(bars.map((bar) => bar.waitFor({ state: "detached" })));
  });
});
