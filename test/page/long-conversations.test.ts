import { writeFileSync } from "node:fs";
import path from "node:path";
import { expect } from "chai";
import { temporaryFolder, type ScriptTurn } from "@pergola/sdk/testing";
import { chatsInBrowser, log, sendText, stopButton, writes } from "../support/chat-page.ts";
import { untilSeen } from "../support/journey-steps.ts";
import { turns, type PageScene } from "../support/page-scene.ts";

const calls = (name: string, ...all: readonly object[]): ScriptTurn => ({
  toolCalls: all.map((one) => ({ name, arguments: { ...one } })),
});

const settings = { "authorization.auto_approve": ["write", "execute"], "tools.disabled": [] };

/** Scrolls up, and tells whether the first of all messages is drawn. */
const isAtBegin = `(() => {
  const view = document.querySelector(".scroller");
  view.scrollTo({ top: -view.scrollHeight });
  return [...document.querySelectorAll(".own .prose")].some((text) => text.innerText === "Question 1");
})()`;

/** A conversation to which more is sent without the page, one run after the other. */
async function chatAside(scene: PageScene, texts: readonly string[], id?: string): Promise<string> {
  let conversationId = id;
  for (const content of texts) {
    const body = { model: "default", messages: [{ role: "user", content }], conversationId };
    const { service_metadata: facts } = await scene.ask<{
      readonly service_metadata: { readonly conversation_id: string };
    }>("POST", "/api/chat/completions", body);
    conversationId = facts.conversation_id;
  }
  return conversationId ?? "";
}

describe("conversations longer than what is read at first (package chromium)", function () {
  this.timeout(120_000);
  const openChat = chatsInBrowser();
  const articles = (scene: PageScene) => log(scene.page).getByRole("article");

  it("tell below each answer what its run took and changed, however far back it is", async () => {
    const scene = await openChat(turns(writes("notes.md", "one\ntwo\n"), { text: "Noted." }), { settings });
    const questions = Array.from({ length: 60 }, (_, at) => `Question ${at + 1}`);
    const id = await chatAside(scene, questions);
    const { page } = scene;
    await page.goto(`/#/c/${id}`);
    await log(page).getByText("Question 60").waitFor();
    await untilSeen(() => page.evaluate<boolean>(isAtBegin));
    const first = articles(scene).filter({ hasText: "notes.md" });
    await first
      .locator("footer.run-line")
      .getByText(/\d tokens/)
      .waitFor();
    await first.getByText("1 file changed +2 −0").waitFor();
  });

  it("count all files that a run has changed, and tell what runs before it have", async () => {
    const command = "for n in $(seq 1100); do echo $n > $n.txt; done";
    const shell = calls("terminal_operations", {
      operation: "run_command",
      command,
      explanation: "Makes them.",
    });
    const script = turns(writes("notes.md"), { text: "Noted." }, shell, { text: "Made." });
    const scene = await openChat(script, { settings });
    const id = await chatAside(scene, ["Note it", "Make many"]);
    await scene.page.goto(`/#/c/${id}`);
    const [noted, made] = [articles(scene).nth(1), articles(scene).nth(3)];
    await made.getByText(/^1,100 files changed/).waitFor();
    await noted.getByText("1 file changed +1 −0").waitFor();
  });

  it("are read on where a run with many steps is all that was read, and show it once", async () => {
    const folder = temporaryFolder("pergola-steps-");
    const reads = Array.from({ length: 70 }, (_, at) => {
      const filePath = path.join(folder, `${at}.md`);
      writeFileSync(filePath, `${at}\n`);
      return { operation: "read_file", filePath };
    });
    const steps = [0, 10, 20, 30, 40, 50, 60].map((at) =>
      calls("file_operations", ...reads.slice(at, at + 10)),
    );
    const scene = await openChat(turns(...steps, { text: "All read." }), { settings });
    const { page } = scene;
    await sendText(page, "Read them all");
    await log(page).getByText("All read.").waitFor();
    await stopButton(page).waitFor({ state: "detached" });
    await page.reload();
    await log(page).getByText("Read them all").waitFor();
    await log(page).getByText("70 steps").waitFor();
    expect(await articles(scene).count()).to.equal(2);
  });
});
