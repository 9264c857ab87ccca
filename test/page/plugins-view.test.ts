import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import type { Locator, Page } from "playwright-core";
import type { ScriptTurn } from "@pergola/sdk/testing";
import { accessibilityFaults, isTooWide } from "../support/accessibility.ts";
import { log, sendText, shown } from "../support/chat-page.ts";
import { scenesInBrowser, turns, type PageScene } from "../support/page-scene.ts";

interface Listed {
  readonly plugins: (Readonly<Record<string, unknown>> & { readonly id: string })[];
}

interface Status {
  readonly state: string;
  readonly restartRequired: boolean;
  readonly hooks: readonly { readonly name: string }[];
}

/** A tool whose process ends in the middle of a call. */
const falling = `export default {
  description: "Falls over.",
  effect: "none",
  parameters: {},
  required: [],
  run: async () => {
    process.stderr.write("out of memory \\u202e");
    await new Promise((resolve) => setTimeout(resolve, 50));
    process.exit(3);
  },
};
`;

/** Puts a tool of one file where the service finds it with its next start, which is now. */
async function addTool({ project, service, start }: PageScene, name: string, code: string): Promise<void> {
  const folder = path.join(project.environment["XDG_CONFIG_HOME"] ?? "", "pergola", "tools");
  mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(folder, `${name}.js`), code);
  await service().end("SIGTERM");
  await start();
}

const lineOf = (page: Page, id: string): Locator =>
  page.locator(".line").filter({ has: page.getByText(id, { exact: true }) });

describe("the page's view of plugins (package chromium)", function () {
  this.timeout(60_000);
  const openScene = scenesInBrowser();

  it("shows what a plugin may reach and what it does in hooks, and its settings alone", async () => {
    const { page, ask } = await openScene();
    const { plugins } = await ask<Listed>("GET", "/api/plugins");
    const permissions = plugins.find(({ id }) => id === "feature-notices")?.["permissions"];
    await page.goto("/#/plugins");
    await shown(page)
      .getByText(/^\d+ running( · \d+ \w+)*$/)
      .waitFor();
    const notices = lineOf(page, "feature-notices");
    await notices.getByText(/^Permissions/).press("Enter");
    for (const [name, value] of Object.entries(permissions as object)) {
      await notices.getByRole("heading", { name, exact: true }).waitFor();
      const shown = typeof value === "string" ? value : JSON.stringify(value, null, 2);
      expect(await notices.locator("pre").allTextContents()).to.include(shown);
    }
    const { hooks } = await ask<Status>("GET", "/api/plugins/feature-notices");
    expect(hooks.length).to.be.above(0);
    await notices.getByText(`Permissions · ${hooks.length} hooks`).waitFor();
    for (const { name } of hooks) await notices.getByText(new RegExp(`${name} · \\d+ calls? · `)).waitFor();
    await notices.getByText("Settings", { exact: true }).press("Enter");
    await notices.getByLabel("notify.command", { exact: true }).waitFor();
    const keys = await notices.locator("label code").allTextContents();
    const { settings } = plugins.find(({ id }) => id === "feature-notices")!;
    expect(keys).to.have.members(Object.keys((settings as { properties: object }).properties));
    expect([await accessibilityFaults(page), await isTooWide(page)]).to.deep.equal([[], false]);
  });

  it("tells what went wrong in a plugin whose process ended in the middle of a call", async () => {
    const call: ScriptTurn = { toolCalls: [{ name: "fall", arguments: { operation: "run" } }] };
    const scene = await openScene(turns(call, { text: "It fell." }), {
      settings: { "plugins.require_sandbox": false },
    });
    await addTool(scene, "fall", falling);
    const { page } = scene;
    await page.goto("/");
    await sendText(page, "Fall");
    await log(page).getByText("It fell.").waitFor();
    await page.goto("/#/plugins");
    const fall = lineOf(page, "file-fall");
    await fall.getByText("Permissions · 1 strike").press("Enter");
    await fall.getByText(/· crash · fall\.run · out of memory \S*202e\S*$/i).waitFor();
    await fall.getByText(/tool · .* · not official · own process, .* · running/).waitFor();
    expect([await accessibilityFaults(page), await isTooWide(page)]).to.deep.equal([[], false]);
  });

  it("tries one again at once that failed too often, and says of others when they are tried", async () => {
    const scene = await openScene(undefined, { settings: { "plugins.require_sandbox": false } });
    await addTool(scene, "broken", "export default {");
    await addTool(scene, "fall", falling);
    const { page, ask } = scene;
    const body = { tool: "fall.run", arguments: {}, isUserInitiated: true };
    for (let time = 1; time <= 5; time += 1) await ask("POST", "/debug/mcp/execute", body);
    await page.goto("/#/plugins");
    const fall = lineOf(page, "file-fall");
    await fall.getByText(/failed 5 times within ten minutes/).waitFor();
    expect(await fall.getByText(/when the service starts/).count()).to.equal(0);
    const again = page.getByRole("button", { name: "Try again: file-fall" });
    await again.press("Enter");
    await fall.getByText(/ · running$/).waitFor();
    await again.waitFor({ state: "detached" });
    const { state, canRetry } = await ask<Status & { canRetry: boolean }>("GET", "/api/plugins/file-fall");
    expect([state, canRetry]).to.deep.equal(["running", false]);

    const broken = lineOf(page, "file-broken");
    await broken.getByText(/It is tried again when the service starts\.$/).waitFor();
    expect(await broken.getByRole("button", { name: /^Try again/ }).count()).to.equal(0);
    expect(await accessibilityFaults(page)).to.deep.equal([]);
  });

  it("switches one off and on again, keeps those that the host needs, and says what is refused", async () => {
    const scene = await openScene();
    const { page, ask } = scene;
    await page.goto("/#/plugins");
    const stateOf = async (id: string): Promise<unknown> =>
      (await ask<Status>("GET", `/api/plugins/${id}`)).state;
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
    await page.locator("#main").getByText("The settings file has it.").waitFor();
    expect(await stateOf("feature-search")).to.equal("running");
    await page.unroute("**/api/plugins/feature-search");
    await button("Switch off: feature-search").press("Enter");
    const line = page.locator(".line").filter({ has: button("Switch on: feature-search") });
    await line.getByText("Switched off after a restart").waitFor();
    await page.reload();
    await line.getByText("Switched off after a restart").waitFor();
    expect(await stateOf("feature-search")).to.equal("running");
    await scene.service().end("SIGTERM");
    await scene.start();
    await page.goto("/#/plugins");
    await page.reload();
    await line.getByText(/· disabled/).waitFor();
    expect(await stateOf("feature-search")).to.equal("disabled");
    await button("Switch on: feature-search").press("Enter");
    await shown(page).getByText("Switched on after a restart").waitFor();
  });
});
