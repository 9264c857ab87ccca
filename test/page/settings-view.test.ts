import { expect } from "chai";
import { type ScriptTurn } from "@pergola/sdk/testing";
import { accessibilityFaults } from "../support/accessibility.ts";
import { chatsInBrowser, log, sendText, shown } from "../support/chat-page.ts";
import { scenesInBrowser, turns } from "../support/page-scene.ts";

describe("settings and memory on the page (package chromium)", function () {
  this.timeout(60_000);
  const openChat = chatsInBrowser();

  it("changes a setting, and a memory is corrected and forgotten", async () => {
    const remember: ScriptTurn = {
      toolCalls: [
        { name: "memory_operations", arguments: { operation: "store_memory", content: "Lives in Berlin" } },
      ],
    };
    const scene = await openChat(turns(remember, { text: "Noted." }));
    const { page } = scene;
    await sendText(page, "I live in Berlin");
    await log(page).getByText("Noted.").waitFor();
    await page.goto("/#/memory");
    await page.getByRole("button", { name: "Correct" }).click();
    await page.getByRole("textbox", { name: "What is remembered" }).fill("Lives in Munich");
    await page.getByRole("button", { name: "Save" }).click();
    await shown(page).getByText("Lives in Munich").waitFor();
    await page.getByRole("button", { name: "Forget", exact: true }).click();
    await page.getByRole("button", { name: "Forget this" }).click();
    await shown(page).getByText("Nothing is remembered yet.").waitFor();
    await page.goto("/#/settings/workflow");
    await page.getByRole("spinbutton", { name: "workflow.max_iterations", exact: true }).fill("50");
    await page.keyboard.press("Tab");
    await shown(page).getByText("Saved", { exact: true }).waitFor();
    const { preferences } = await scene.ask<{ preferences: Record<string, unknown> }>(
      "GET",
      "/api/preferences",
    );
    expect(preferences["workflow.max_iterations"]).to.equal(50);
    await page.getByRole("searchbox", { name: "Search settings" }).fill("max_iterations");
    await page.keyboard.press("Enter");
    await page.getByRole("spinbutton", { name: "workflow.max_iterations", exact: true }).waitFor();
    expect(await page.getByRole("spinbutton", { name: /max_parallel/ }).count()).to.equal(0);
  });
});

describe("settings that nobody changes on the page (package chromium)", function () {
  this.timeout(60_000);
  const openScene = scenesInBrowser();

  it("are read-only, and say where they are set: needed before the store opens, or in the settings file", async () => {
    const { page } = await openScene(undefined, { settings: { "workflow.max_iterations": 40 } });
    for (const [group, role, key, words] of [
      ["storage", "combobox", "storage.durability", /or as PERGOLA_STORAGE_DURABILITY\.$/],
      [
        "workflow",
        "spinbutton",
        "workflow.max_iterations",
        /is fixed by the settings file; change it there\.$/,
      ],
    ] as const) {
      await page.goto(`/#/settings/${group}`);
      const control = page.getByRole(role, { name: key, exact: true });
      await control.and(page.locator(":disabled")).waitFor();
      const line = page.locator(".line").filter({ has: control });
      await line.getByText(words).waitFor();
      expect(await line.getByRole("button").count()).to.equal(0);
      expect(await accessibilityFaults(page)).to.deep.equal([]);
    }
  });
});

describe("settings for those who may not change them (package chromium)", function () {
  this.timeout(60_000);
  const openScene = scenesInBrowser();

  for (const [who, scopes, headers, words] of [
    [
      "another computer",
      "read,admin",
      { "x-forwarded-for": "203.0.113.9" },
      /^server\.remote_admin can be changed only from the service's own computer/,
    ],
    ["a token that may only read", "read", {}, /^Your token does not allow changes\.$/],
  ] as const)
    it(`lets ${who} read what it may not change, and says why`, async () => {
      const scene = await openScene(undefined, { settings: { "auth.loopback": "token" } });
      const { page, another } = scene;
      await page.context().setExtraHTTPHeaders(headers);
      const { stdout } = await scene.project.run(["tokens", "add", "browser", "--scope", scopes]);
      await page.goto("/");
      await page.getByLabel("Token").fill(stdout.trim());
      await page.keyboard.press("Enter");
      await page.getByRole("navigation").waitFor();
      const isFree = scopes.includes("admin");
      // The other window is told by the first one who it is.
      for (const window of [page, await another()]) {
        await window.goto("/#/settings/server");
        const switches = window.getByRole("switch", { name: "server.remote_admin", exact: true });
        await switches.and(window.locator(":disabled")).waitFor();
        const line = window.locator(".line").filter({ has: switches });
        await line.getByText(words).waitFor();
        expect(await accessibilityFaults(window)).to.deep.equal([]);
        await window.goto("/#/settings/workflow");
        const other = window.getByRole("spinbutton", { name: "workflow.max_iterations", exact: true });
        await other.waitFor();
        expect(await other.isEnabled()).to.equal(isFree);
      }
      if (!isFree) return;
      await page.getByRole("spinbutton", { name: "workflow.max_iterations", exact: true }).fill("50");
      await page.keyboard.press("Tab");
      await shown(page).getByText("Saved", { exact: true }).waitFor();
    });
});
