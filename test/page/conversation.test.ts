import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { temporaryFolder, type ScriptTurn } from "@pergola/sdk/testing";
import { accessibilityFaults, isTooWide } from "../support/accessibility.ts";
import { press, scenesInBrowser, turns, ways, type PageScene } from "../support/page-scene.ts";
import { promised } from "../support/promised.ts";

const log = (page: Page) => page.getByRole("log");
const field = (page: Page) => page.getByRole("textbox", { name: "Message" });
const stopButton = (page: Page) => page.getByRole("button", { name: /^Stop/ });

const reads = (filePath: string): ScriptTurn => [
  { toolCalls: [{ name: "file_operations", arguments: { operation: "read_file", filePath } }] },
];

describe("the page's conversation (package chromium)", function () {
  this.timeout(60_000);
  const openScene = scenesInBrowser();
  let scene: PageScene;

  const send = async (page: Page, text: string): Promise<void> => {
    await field(page).fill(text);
    await page.keyboard.press("Enter");
  };

  it("shows what a call was given and gave while its run goes on, and when it has ended", async () => {
    const folder = temporaryFolder("pergola-read-");
    writeFileSync(path.join(folder, "a.txt"), "Sow the beans.\n");
    writeFileSync(path.join(folder, "b.txt"), "Dig the bed.\n");
    const rest = promised();
    scene = await openScene(
      turns(
        reads(path.join(folder, "a.txt")),
        [{ text: "Next one." }, ...reads(path.join(folder, "b.txt"))],
        [{ text: "And" }, { until: rest.promise }, { text: " done." }],
      ),
    );
    const { page } = scene;
    await page.goto("/");
    await send(page, "Read them");
    await log(page).getByText("And", { exact: true }).waitFor();
    const card = (name: string) => log(page).locator("details.tool").filter({ hasText: name });
    await card("a.txt").locator("summary").click();
    await card("a.txt").locator("pre").getByText("Sow the beans.").waitFor();
    await card("a.txt").locator("pre").getByText('"read_file"').waitFor();
    rest.keep();
    await stopButton(page).waitFor({ state: "detached" });
    await card("b.txt").locator("summary").click();
    await card("b.txt").locator("pre").getByText("Dig the bed.").waitFor();
    await card("a.txt").locator("pre").getByText("Sow the beans.").waitFor();
  });

  it("is the same in every window: what is sent in one runs and ends in the others", async () => {
    const rest = promised();
    scene = await openScene(
      turns([{ text: "First." }], [{ text: "Second" }, { until: rest.promise }, { text: " half." }]),
    );
    const { page } = scene;
    await page.goto("/");
    await send(page, "Begin");
    await log(page).getByText("First.").waitFor();
    await stopButton(page).waitFor({ state: "detached" });
    const other = await scene.another();
    await other.goto(page.url());
    await log(other).getByText("First.").waitFor();
    await send(page, "Go on");
    await log(other).getByText("Go on").waitFor();
    await log(other).getByText("Second", { exact: true }).waitFor();
    await stopButton(other).waitFor();
    rest.keep();
    await log(other).getByText("Second half.").waitFor();
    await stopButton(other).waitFor({ state: "detached" });
    expect(await log(other).getByText("Second half.").count()).to.equal(1);
  });
});
