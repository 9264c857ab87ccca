import { existsSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { chatReply, temporaryFolder } from "@pergola/sdk/testing";
import { accessibilityFaults, isTooWide } from "../support/accessibility.ts";
import { cast, spawning } from "../support/agent-stage.ts";
import {
  chatsInBrowser,
  log,
  openCard,
  sendText,
  stopButton,
  waitingView,
  writes,
} from "../support/chat-page.ts";

describe("sub-agents on the page (package chromium)", function () {
  this.timeout(60_000);
  const openChat = chatsInBrowser();

  it("call and ask under the name of the tool that started them, in the chat and under Waiting", async () => {
    const folder = temporaryFolder("pergola-agents-");
    const [notes, copy] = [path.join(folder, "notes.md"), path.join(folder, "copy.md")];
    writeFileSync(notes, "3 May\n");
    const read = { operation: "read_file", filePath: notes };
    const script = cast([spawning({ task: "Copy it", wait: true }), chatReply({ text: "All done." })], {
      "Copy it": [
        chatReply({ toolCalls: [{ name: "file_operations", arguments: read }] }),
        chatReply(writes(copy)),
        chatReply({ text: "Copied." }),
      ],
    });
    const { page } = await openChat(script, { settings: { "tools.disabled": [] }, width: 360, height: 720 });
    await sendText(page, "Have notes.md copied");
    const heading = { name: "Needs your decision · sub-agent of agent_operations" };
    await (await openCard(page)).getByRole("heading", heading).waitFor();
    const call = log(page).locator("details.tool").filter({ hasText: "notes.md" });
    await call.getByText(/^sub-agent of agent_operations · done · /).waitFor();
    expect([await accessibilityFaults(page), await isTooWide(page)]).to.deep.equal([[], false]);
    await page.goto("/#/waiting");
    const card = await openCard(page, waitingView(page));
    await card.getByRole("heading", heading).waitFor();
    await card.getByRole("button", { name: "Write 1 file" }).press("Enter");
    await page.goBack();
    await log(page).getByText("All done.").waitFor();
    expect(existsSync(copy)).to.equal(true);
    await stopButton(page).waitFor({ state: "detached" });
    const foot = log(page).locator("article > .run-line").filter({ hasText: "1 file changed" });
    await foot.getByText("+1 −0").waitFor();
    await page.reload();
    await foot.getByText("+1 −0").waitFor();
    await foot.getByRole("button", { name: "Take back…" }).press("Enter");
    const panel = page.getByRole("dialog", { name: "Changes" });
    await panel.getByRole("button", { name: "Take back 1 of 1 file" }).press("Enter");
    await panel.getByText("1 file taken back").waitFor();
    expect(existsSync(copy)).to.equal(false);
  });
});
