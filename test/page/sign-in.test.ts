import { expect } from "chai";
import { field, log, sendText } from "../support/chat-page.ts";
import { scenesInBrowser } from "../support/page-scene.ts";

describe("signing in on the page (package chromium)", function () {
  this.timeout(60_000);
  const openScene = scenesInBrowser();

  it("asks for a token where the service wants one, and takes a one-time code out of the address", async () => {
    const scene = await openScene(undefined, { settings: { "auth.loopback": "token" } });
    const { page, project } = scene;
    await page.goto("/");
    await page.getByRole("heading", { name: "Sign in" }).waitFor();
    const { stdout } = await project.run(["tokens", "add", "browser", "--scope", "read,chat,approve"]);
    await page.getByLabel("Token").fill("wrong");
    await page.keyboard.press("Enter");
    await page.getByRole("alert").filter({ hasText: /token/i }).waitFor();
    await page.getByLabel("Token").fill(stdout.trim());
    await page.keyboard.press("Enter");
    await field(page).waitFor();
    await sendText(page, "Hi");
    await log(page).getByText("Hello.").waitFor();
    const opened = await project.run(["open", "--print"]);
    const address = /http:\S+#code=\S+/.exec(opened.stdout)?.[0] ?? "";
    await page.evaluate("localStorage.clear()");
    await page.goto("about:blank");
    await page.goto(address);
    await field(page).waitFor();
    expect(page.url()).to.equal(`${scene.url}/#/`);
  });
});
