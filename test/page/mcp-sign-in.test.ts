import { expect } from "chai";
import { openOAuthMcpServer } from "../support/oauth-mcp-server.ts";
import { scenesInBrowser } from "../support/page-scene.ts";

describe("a sign-in at an MCP server from the page (package chromium)", function () {
  this.timeout(60_000);
  const openScene = scenesInBrowser();

  it("leads to the issuer and back, shows that you are signed in, and is given up", async () => {
    const remote = await openOAuthMcpServer();
    try {
      const { page, ask } = await openScene(undefined, { settings: { "secrets.store": "file" } });
      await ask("POST", "/api/mcp/servers", { name: "wiki", url: remote.url });
      await page.goto("/#/mcp");
      const server = page.locator(".view > .lines > .line").filter({ hasText: "wiki" });
      await server.getByRole("button", { name: "Check: wiki" }).click();
      await server.getByText(/^sign in/).waitFor();
      const opened = page.context().waitForEvent("page");
      await server.getByRole("link", { name: "Sign in" }).click();
      const answer = await opened;
      await answer.getByRole("heading", { name: "You are signed in: wiki" }).waitFor();
      expect(new URL(answer.url()).origin).to.equal(new URL(page.url()).origin);
      expect(await answer.evaluate("window.opener")).to.equal(null);
      await answer.close();
      await server.getByText(/^ready · signed in/).waitFor();
      expect(await server.getByRole("link", { name: "Sign in" }).count()).to.equal(0);
      await server.getByText("1 tool").click();
      await server.locator(".line").filter({ hasText: "who" }).waitFor();
      await server.getByRole("button", { name: "Sign out: wiki" }).click();
      await server.getByRole("button", { name: "Sign out: wiki" }).waitFor({ state: "detached" });
      await server.getByRole("button", { name: "Check: wiki" }).click();
      await server.getByText(/^sign in/).waitFor();
    } finally {
      remote.close();
    }
  });

  it("says on both pages that it was denied", async () => {
    const remote = await openOAuthMcpServer();
    remote.rules.isDenied = true;
    try {
      const { page, ask } = await openScene(undefined, { settings: { "secrets.store": "file" } });
      await ask("POST", "/api/mcp/servers", { name: "wiki", url: remote.url });
      await page.goto("/#/mcp");
      const server = page.locator(".view > .lines > .line").filter({ hasText: "wiki" });
      await server.getByRole("button", { name: "Check: wiki" }).click();
      const opened = page.context().waitForEvent("page");
      await server.getByRole("link", { name: "Sign in" }).click();
      await (await opened).getByRole("heading", { name: "You are not signed in" }).waitFor();
      await server.locator(".failure").getByText("It was denied.").waitFor();
    } finally {
      remote.close();
    }
  });
});
