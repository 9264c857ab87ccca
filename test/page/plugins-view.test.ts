import { expect } from "chai";
import type { Page } from "playwright-core";
import { accessibilityFaults, isTooWide } from "../support/accessibility.ts";
import { scenesInBrowser } from "../support/page-scene.ts";

interface Listed {
  readonly plugins: (Readonly<Record<string, unknown>> & { readonly id: string })[];
}

const strike = {
  time: "2026-05-03T14:31:00Z",
  call: "file_operations.read_file",
  kind: "crash",
  stderr: "out of memory\u202e",
};

/** Answers as the service does, but that one plugin has done something wrong. */
const withStrike = (page: Page, id: string): Promise<unknown> =>
  page.route("**/api/plugins", async (route) => {
    const response = await route.fetch();
    const { plugins, ...more } = (await response.json()) as Listed;
    const json = {
      ...more,
      plugins: plugins.map((one) => (one.id === id ? { ...one, strikes: [strike] } : one)),
    };
    await route.fulfill({ response, json });
  });

describe("the page's view of plugins (package chromium)", function () {
  this.timeout(60_000);
  const openScene = scenesInBrowser();

  it("shows what a plugin may reach, what went wrong in it, and the way to its settings", async () => {
    const { page, ask } = await openScene();
    const { plugins } = await ask<Listed>("GET", "/api/plugins");
    const permissions = plugins.find(({ id }) => id === "feature-downloads")?.["permissions"];
    await withStrike(page, "feature-downloads");
    await page.goto("/#/plugins");
    const line = (id: string) => page.locator(".line").filter({ has: page.getByText(id, { exact: true }) });
    const downloads = line("feature-downloads");
    await downloads.getByText("Permissions · 1 strike").press("Enter");
    for (const [name, value] of Object.entries(permissions as object)) {
      await downloads.getByRole("heading", { name, exact: true }).waitFor();
      const shown = typeof value === "string" ? value : JSON.stringify(value, null, 2);
      expect(await downloads.locator("pre").allTextContents()).to.include(shown);
    }
    await downloads.getByText(/· crash · file_operations\.read_file · out of memory⟨U\+202E⟩$/).waitFor();
    expect([await accessibilityFaults(page), await isTooWide(page)]).to.deep.equal([[], false]);
    await downloads.getByRole("link", { name: "Settings of feature-downloads" }).press("Enter");
    await page.getByRole("heading", { name: "Settings", level: 1 }).waitFor();
    await page.getByLabel("downloads.base_url", { exact: true }).waitFor();
  });

  it("switches one off and on again, keeps those that the host needs, and says what is refused", async () => {
    const scene = await openScene();
    const { page, ask } = scene;
    await page.goto("/#/plugins");
    const stateOf = async (id: string): Promise<unknown> =>
      (await ask<{ readonly state: string }>("GET", `/api/plugins/${id}`)).state;
    const button = (name: string) => page.getByRole("button", { name, exact: true });
    await button("Switch off: feature-search").waitFor();
    expect(await page.getByRole("button", { name: /: service-preferences$/ }).count()).to.equal(0);
    await page.route("**/api/plugins/feature-search", (route) =>
      route.fulfill({
        status: 409,
        json: { error: { message: "The settings file has it.", code: "set_elsewhere" } },
      }),
    );
    await button("Switch off: feature-search").press("Enter");
    await page.getByText("The settings file has it.").waitFor();
    expect(await stateOf("feature-search")).to.equal("running");
    await page.unroute("**/api/plugins/feature-search");
    await button("Switch off: feature-search").press("Enter");
    const line = page.locator(".line").filter({ has: button("Switch on: feature-search") });
    await line.getByText("Switched off after a restart").waitFor();
    expect(await stateOf("feature-search")).to.equal("running");
    await scene.service().end("SIGTERM");
    await scene.start();
    await page.goto("/#/plugins");
    await page.reload();
    await line.getByText(/· disabled/).waitFor();
    expect(await stateOf("feature-search")).to.equal("disabled");
    await button("Switch on: feature-search").press("Enter");
    await page.getByText("Switched on after a restart").waitFor();
  });
});
