import { expect } from "chai";
import type { Locator, Page, Request } from "playwright-core";
import { chatsInBrowser, log, sendText, stopButton } from "../support/chat-page.ts";
import { press, turns, ways, type PageScene, type Way } from "../support/page-scene.ts";
import { promised } from "../support/promised.ts";

const card = (page: Page): Locator =>
  page.getByRole("region", { name: "The service stopped during this run" });

/** Gathers where the first message stands in each frame, from its first one on. */
const watchFirst = `(() => {
  const tops = [];
  const look = () => {
    const first = document.querySelector(".message");
    if (first !== null) tops.push(first.getBoundingClientRect().top);
    requestAnimationFrame(look);
  };
  look();
  const frame = () => new Promise(requestAnimationFrame);
  window.tops = () => frame().then(frame).then(() => tops);
})()`;

describe("a run that a stop of the service has cut (package chromium)", function () {
  this.timeout(60_000);
  const openChat = chatsInBrowser();
  const rest = promised();
  const script = () => turns([{ text: "One" }, { hang: true }], [{ text: "Two" }, { until: rest.promise }]);

  /** The address of a conversation whose run is cut; no window is open any more. */
  async function cutRun(way?: Way): Promise<PageScene & { readonly address: string }> {
    const scene = await openChat(script(), way && { way });
    const { page } = scene;
    await sendText(page, "Begin");
    await log(page).getByText("One", { exact: true }).waitFor();
    const address = page.url();
    await page.close();
    await scene.service().end();
    await scene.start();
    return { ...scene, address };
  }

  for (const way of ways)
    it(`has its card wherever the conversation is opened later, and goes on from there, ${way}`, async () => {
      const { another, address } = await cutRun(way);
      const page = await another();
      await page.goto(address);
      await card(page).waitFor();
      await log(page).getByText("One", { exact: true }).waitFor();
      await press(page, card(page).getByRole("button", { name: "Go on" }), way);
      await log(page).getByText("Two").waitFor();
      await card(page).waitFor({ state: "detached" });
      await stopButton(page).waitFor();
    });

  for (const how of ["cut", "cancelled"] as const)
    it(`moves nothing that is read once it is opened, where the run was ${how}`, async () => {
      const scene = await openChat(turns({ text: "Nought" }, [{ text: "One" }, { hang: true }]));
      await sendText(scene.page, "First");
      await stopButton(scene.page).waitFor({ state: "detached" });
      await log(scene.page).getByText("Nought", { exact: true }).waitFor();
      await sendText(scene.page, "Begin");
      await log(scene.page).getByText("One", { exact: true }).waitFor();
      const address = scene.page.url();
      if (how === "cancelled") {
        await stopButton(scene.page).click();
        await log(scene.page).getByText("You stopped this run").waitFor();
      }
      await scene.page.close();
      await scene.service().end();
      await scene.start();
      const page = await scene.another();
      // The end is in view, and the beginning is not.
      await page.setViewportSize({ width: 1280, height: 360 });
      // What is asked beside the messages comes after them.
      for (const path of ["**/api/runs?*", "**/api/runs/*/events*", "**/api/changes?*"])
        await page.route(path, async (route) => {
          await new Promise((resolve) => setTimeout(resolve, 300));
          await route.continue();
        });
      await page.addInitScript(watchFirst);
      const reads = ["/api/runs?limit=50", "/api/changes?", "/context", "/api/usage?"];
      const all = Promise.all(reads.map((path) => page.waitForResponse((one) => one.url().includes(path))));
      await page.goto(address);
      await all;
      const end = how === "cut" ? card(page) : log(page).getByText("You stopped this run");
      await end.waitFor();
      await log(page).getByText("One", { exact: true }).waitFor();
      const tops = await page.evaluate<readonly number[]>("window.tops()");
      expect(Math.max(...tops) - Math.min(...tops), tops.join()).to.be.below(0.5);
    });

  it("is ended by a new message, whose run asks the service for nothing while it waits", async () => {
    const { another, address } = await cutRun();
    const page = await another();
    await page.clock.install();
    await page.goto(address);
    await card(page).waitFor();
    const coming = new Set<Request>();
    const begun: string[] = [];
    page.on("request", (request) => {
      begun.push(new URL(request.url()).pathname);
      if (!request.url().includes("/events")) coming.add(request);
    });
    for (const end of ["requestfinished", "requestfailed"] as const)
      page.on(end as "requestfinished", (request) => coming.delete(request));
    // What the end of the first run has it read, and the last of the drafts.
    const reads = ["/api/usage", "/api/changes", "/context", "/messages"];
    const known = Promise.all(
      reads.map((path) => page.waitForResponse((one) => new URL(one.url()).pathname.endsWith(path))),
    );
    await sendText(page, "And now?");
    await known;
    await log(page).getByText("Two", { exact: true }).waitFor();
    await log(page).getByText("You stopped this run").waitFor();
    await stopButton(page).waitFor();
    while (coming.size > 0) await page.clock.runFor(100);
    begun.splice(0);
    await page.clock.runFor(40_000);
    expect(begun).to.deep.equal([]);
    await log(page)
      .getByText(/^Working 0:4\d/)
      .waitFor();
  });
});
