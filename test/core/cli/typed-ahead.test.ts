import { expect } from "chai";
import { chatReply } from "@pergola/sdk/testing";
import { needTerminal, playAtTerminal } from "../../support/at-terminal.ts";
import { openProject, type Project } from "../../support/pergola.ts";

const [enter, leave] = ["\r", "\u0004"];

describe("keys that are typed while an answer of `pergola chat` is on its way", function () {
  this.timeout(40_000);
  let project: Project;
  before(function () {
    needTerminal(this);
  });
  beforeEach(async () => {
    project = await openProject();
  });
  afterEach(() => project.close());

  it("leave the answer alone, and are the next message", async () => {
    project.model.play([
      chatReply([{ delayMs: 1500 }, { text: "First " }, { delayMs: 500 }, { text: "answer." }]),
      chatReply({ text: "Second answer." }),
    ]);
    const { code, screen } = await playAtTerminal(
      project,
      ["chat"],
      [
        ["> ", `go${enter}`],
        ["Thinking", "and n"],
        ["Thinking", `ôw?${enter}`],
        ["Second answer.", ""],
        ["> ", leave],
      ],
    );
    expect(code, screen).to.equal(0);
    const spinners = /[\u2800-\u28ff] Thinking(?: \d+ s)?/;
    const [shown = ""] = screen.split("Second answer.");
    expect(shown.slice(shown.search(spinners)).split(spinners).join("")).to.match(
      /^First answer\.\n[^\n]+\n> and nôw\?\n$/,
    );
    expect(project.model.requests.map(({ text }) => text.includes("and nôw?"))).to.deep.equal([false, true]);
  });
});
