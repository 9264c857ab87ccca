import { expect } from "chai";
import { chatsInBrowser, log, sendText, stopButton } from "../support/chat-page.ts";
import { turns } from "../support/page-scene.ts";
import { promised } from "../support/promised.ts";

/** As a browser has it of a window that lies behind another: it is never painted. */
const isBehind = `
  Object.defineProperties(Document.prototype, {
    hidden: { get: () => true },
    visibilityState: { get: () => "hidden" },
  });
  window.requestAnimationFrame = () => 0;
`;

describe("what the page asks and draws, and when (package chromium)", function () {
  this.timeout(60_000);
  const openChat = chatsInBrowser();

  it("draws a run at work in a window that nobody sees yet", async () => {
    const rest = promised();
    const scene = await openChat(
      turns([{ text: "So far" }, { until: rest.promise }, { text: " and further." }]),
    );
    await sendText(scene.page, "Go on");
    await log(scene.page).getByText("So far").waitFor();
    const behind = await scene.another();
    await behind.addInitScript(isBehind);
    await behind.goto(scene.page.url());
    await log(behind).getByText("So far").waitFor();
    rest.keep();
    await log(behind).getByText("So far and further.").waitFor();
    await stopButton(behind).waitFor({ state: "detached" });
  });

  it("asks what a model saw once there is an answer, and is never told that there is none", async () => {
    const rest = promised();
    const { page } = await openChat(turns([{ text: "Hello" }, { until: rest.promise }, { text: " again." }]));
    const answers: string[] = [];
    page.on("response", (response) => {
      if (/\/context$/.test(response.url())) answers.push(`${response.status()}`);
    });
    await sendText(page, "Hi");
    await log(page).getByText("Hello").waitFor();
    expect(await page.getByRole("button", { name: /^Context/ }).count()).to.equal(0);
    rest.keep();
    await page.getByRole("button", { name: /^Context \d+ %/ }).waitFor();
    await stopButton(page).waitFor({ state: "detached" });
    await page.getByRole("button", { name: /^Context \d+ %/ }).waitFor();
    expect(new Set(answers)).to.deep.equal(new Set(["200"]));
  });
});
