import path from "node:path";
import { expect } from "chai";
import type { Page } from "playwright-core";
import { temporaryFolder } from "@pergola/sdk/testing";
import { accessibilityFaults, isTooWide, smallTargets } from "../support/accessibility.ts";
import {
  chatsInBrowser,
  field,
  log,
  openCard,
  openChatMenu,
  sendText,
  shown,
  stopButton,
  writes,
} from "../support/chat-page.ts";
import { turns, type SceneOptions } from "../support/page-scene.ts";
import { promised } from "../support/promised.ts";

/** The views, each with the route that it reads, and with what it shows where there is nothing yet. */
const views = {
  runs: ["**/api/runs?**", "No runs yet."],
  memory: ["**/api/memories?**", "Nothing is remembered yet."],
  models: ["**/api/models", "Use a key"],
  plugins: ["**/api/plugins", "endpoint-web"],
  mcp: ["**/api/mcp/servers", "There are no MCP servers yet."],
  settings: ["**/api/preferences/schema", "Permissions"],
  check: ["**/api/doctor", "Look again"],
  "search/beans": ["**/api/search?**", "0 messages"],
} as const;

const looks: Readonly<Record<string, SceneOptions>> = {
  light: {},
  dark: { dark: true },
  "forced colours": { forcedColors: true },
  narrow: { width: 360, height: 720, touch: true },
  "zoomed to 200 %": { width: 640, height: 400 },
};

describe("each state of the page's views (package chromium)", function () {
  this.timeout(120_000);
  const openChat = chatsInBrowser();

  for (const [name, options] of Object.entries(looks)) {
    /** Gathers what is wrong in what is shown. */
    const looker = (page: Page) => {
      const found: string[] = [];
      const look = async (where: string): Promise<void> => {
        const faults = [...(await accessibilityFaults(page)), ...(await smallTargets(page, options.touch))];
        found.push(...faults.map((fault) => `${where}: ${fault}`));
        if (await isTooWide(page)) found.push(`${where}: too wide`);
      };
      return { found, look };
    };

    it(`is open to everybody while it is read, where that fails, and where there is nothing: ${name}`, async () => {
      const { page } = await openChat(undefined, options);
      const { found, look } = looker(page);
      for (const [view, [route, empty]] of Object.entries(views)) {
        const error = { message: "The store is busy.", code: "storage_unavailable" };
        const gate = promised();
        await page.route(route, async (one) => {
          await gate.promise;
          await one.fulfill({ status: 503, json: { error } });
        });
        await page.goto(`/#/${view}`);
        await page.locator(".blocks").waitFor();
        await look(`${view}, loading`);
        gate.keep();
        await page.getByRole("main").getByText("The store is busy.").first().waitFor();
        await look(`${view}, failed`);
        await page.unroute(route);
        await page.getByRole("main").getByRole("button", { name: "Try again" }).first().press("Enter");
        await page.getByRole("main").getByText("The store is busy.").waitFor({ state: "detached" });
        await page.getByRole("main").getByText(new RegExp(empty)).first().waitFor({ timeout: 20_000 });
        await look(view);
      }
      await page.goto("/#/waiting");
      await shown(page).getByText("Nothing waits for you.").waitFor();
      await look("waiting");
      expect(found).to.deep.equal([]);
    });

    it(`is open to everybody in dialogs, on cards and where somebody is to sign in: ${name}`, async () => {
      const file = path.join(temporaryFolder(), "out.txt");
      const asks = { operation: "request_input", prompt: "Which one?", options: ["One", "Two"] };
      const script = turns(writes(file), { toolCalls: [{ name: "user_collaboration", arguments: asks }] }, [
        { text: "Slowly" },
        { hang: true },
      ]);
      const { page, service, start } = await openChat(script, options);
      const { found, look } = looker(page);
      await sendText(page, "Copy it");
      await (await openCard(page)).getByRole("button", { name: "Write 1 file" }).press("Enter");
      const question = page.getByRole("region", { name: /^Asks you/ });
      await question.and(page.locator("[aria-busy=false]")).waitFor();
      await look("question");
      await question.getByRole("button", { name: "Two" }).press("Enter");
      await log(page).getByText("Slowly").waitFor();
      await look("a run at work");
      const card = log(page).locator("details.tool").first();
      await card.locator("summary").press("Enter");
      await card.getByText("Changed 1 file").waitFor();
      await look("a card that is open");
      await service().end("SIGKILL");
      await shown(page)
        .getByText(/^The service cannot be reached\./)
        .waitFor();
      await look("offline");
      await start();
      const stopped = page.getByRole("region", { name: "The service stopped during this run" });
      await stopped.waitFor({ timeout: 20_000 });
      await look("a run that was cut");
      await stopped.getByRole("button", { name: "End here" }).press("Enter");
      await log(page).getByText("You stopped this run").waitFor();
      await stopButton(page).waitFor({ state: "detached" });
      await log(page).getByRole("button", { name: "Take back…" }).waitFor();
      for (const dialog of ["Files", "Options", "View"]) {
        await openChatMenu(page);
        if (dialog === "Files") await look("the menu");
        await page.getByRole("main").getByRole("button", { name: dialog }).last().press("Enter");
        await page.getByRole("dialog").getByRole("heading").first().waitFor();
        await page.locator(".blocks").waitFor({ state: "detached" });
        await look(dialog);
        await page.keyboard.press("Escape");
        await page.getByRole("dialog").waitFor({ state: "detached" });
      }
      await openChatMenu(page);
      await page
        .getByRole("main")
        .getByRole("button", { name: /^Context/ })
        .press("Enter");
      await page.getByRole("dialog", { name: "Context" }).locator("summary").first().press("Enter");
      await look("Context");
      await page.keyboard.press("Escape");
      await page.keyboard.press("Control+/");
      await page.getByRole("dialog", { name: "Keys" }).waitFor();
      await look("Keys");
      await page.keyboard.press("Escape");
      await page.getByRole("link", { name: "Steps" }).press("Enter");
      await page
        .getByRole("main")
        .getByText(/^0:00 /)
        .first()
        .waitFor();
      await look("the steps of a run");
      await page.route("**/api/models", (route) => route.fulfill({ status: 401, json: {} }));
      await page.goto("/#/models");
      await page.getByRole("heading", { name: "Sign in" }).waitFor();
      await look("sign in");
      expect(found).to.deep.equal([]);
    });
  }

  it("says that there is nothing of what was looked for, and keeps what is written over all of it", async () => {
    const { page } = await openChat();
    await field(page).fill("A draft");
    await page.goto("/#/search/beans");
    await page.getByRole("main").getByText("0 messages").waitFor();
    await page.goto("/#/");
    await field(page).waitFor();
    expect(await field(page).inputValue()).to.equal("A draft");
  });
});
