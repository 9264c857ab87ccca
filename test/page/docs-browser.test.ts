import { expect } from "chai";
import type { Page } from "playwright-core";
import { accessibilityFaults, isTooWide } from "../support/accessibility.ts";
import { press, scenesInBrowser, type SceneOptions } from "../support/page-scene.ts";

const pages = ["/docs", "/docs/settings", "/docs/add-a-tool", "/docs/performance", "/docs/no-such-page"];
const looks: Readonly<Record<string, SceneOptions>> = {
  light: {},
  dark: { dark: true },
  "narrow, light": { width: 360, height: 740 },
  "narrow, dark": { width: 360, height: 740, dark: true },
  "between narrow and wide": { width: 900 },
};

describe("the documentation in a browser (package chromium)", function () {
  this.timeout(60_000);
  const openScene = scenesInBrowser();

  const begin = async (options?: SceneOptions): Promise<Page> => {
    const { page } = await openScene(undefined, options);
    await page.goto("/docs");
    return page;
  };

  const heading = (page: Page, name: string) => page.getByRole("heading", { level: 1, name, exact: true });
  const navigation = (page: Page) => page.getByRole("navigation", { name: "Documentation" });

  it("is read by keyboard: past the navigation, through it, to a section and to the next page", async () => {
    const page = await begin();
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    expect(await page.evaluate("document.activeElement.localName")).to.equal("main");
    const settings = navigation(page).getByRole("link", { name: "Settings", exact: true });
    await page.goto("/docs");
    await press(page, settings, "by keyboard", "Enter");
    await heading(page, "Settings").waitFor();
    expect(await settings.getAttribute("aria-current")).to.equal("page");
    const contents = page.getByRole("navigation", { name: "On this page" });
    await page.keyboard.press("Tab");
    await page.keyboard.press("Enter");
    await press(
      page,
      contents.getByRole("link", { name: "policy-access", exact: true }),
      "by keyboard",
      "Enter",
    );
    await page.waitForURL("**/docs/settings#policy-access");
    const section = page.getByRole("heading", { level: 2, name: /^policy-access/ });
    const box = await section.boundingBox();
    expect(box?.y).to.be.within(0, 300);
    await press(page, page.getByRole("link", { name: "Next HTTP API" }), "by keyboard", "Enter");
    await heading(page, "HTTP API").waitFor();
    await press(page, page.getByRole("link", { name: "Previous Settings" }), "by pointer");
    await heading(page, "Settings").waitFor();
  });

  it("opens its list of pages on a narrow screen, and closes it with Escape, by keyboard", async () => {
    const page = await begin({ width: 360, height: 740 });
    expect(await navigation(page).isVisible()).to.equal(false);
    const button = page.getByRole("button", { name: "All pages" });
    await press(page, button, "by keyboard");
    await navigation(page).waitFor();
    expect(await accessibilityFaults(page)).to.deep.equal([]);
    await page.keyboard.press("Escape");
    await navigation(page).waitFor({ state: "hidden" });
    await press(page, button, "by keyboard");
    await press(
      page,
      navigation(page).getByRole("link", { name: "Undo", exact: true }),
      "by keyboard",
      "Enter",
    );
    await heading(page, "Undo").waitFor();
    expect(await navigation(page).isVisible()).to.equal(false);
  });

  for (const [look, options] of Object.entries(looks))
    it(`is accessible, styled and no wider than the window: ${look}`, async () => {
      const page = await begin(options);
      const found: string[] = [];
      for (const path of pages) {
        await page.goto(path);
        const faults = await accessibilityFaults(page);
        found.push(...faults.map((fault) => `${path}: ${fault}`));
        if (await isTooWide(page)) found.push(`${path}: too wide`);
      }
      expect(found).to.deep.equal([]);
      const background = await page.evaluate("getComputedStyle(document.documentElement).backgroundColor");
      expect(background).to.equal(options.dark === true ? "rgb(24, 25, 26)" : "rgb(253, 252, 250)");
    });

  it("colours code, shows HTML of its sources as text, and leads to the chat", async () => {
    const page = await begin();
    expect(await page.locator("pre .hljs-comment").count()).to.be.above(0);
    expect(await page.locator("pre").first().textContent()).to.match(/^npm ci && npm start/);
    expect(await page.evaluate("document.scripts.length")).to.equal(0);
    await page.getByRole("link", { name: "Open the chat" }).click();
    await page.getByRole("textbox", { name: "Message" }).waitFor();
  });
});
