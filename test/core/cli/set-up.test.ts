import { expect } from "chai";
import { needTerminal, playAtTerminal } from "../../support/at-terminal.ts";
import { freePort, openProject, type Project } from "../../support/pergola.ts";

const [up, enter, leave] = ["\u001b[A", "\r", "\u0004"];

describe("pergola acp --setup", function () {
  this.timeout(40_000);
  let project: Project;

  before(function () {
    needTerminal(this);
  });
  beforeEach(async () => {
    const made = await openProject();
    // What the settings file names cannot be chosen.
    const settings = () => made.settings({ default_model: undefined, "providers.list": undefined });
    settings();
    project = { ...made, settings };
  });
  afterEach(() => project.close());

  const play = (steps: Parameters<typeof playAtTerminal>[2]) =>
    playAtTerminal(project, ["acp", "--setup"], steps);
  const chosen = async () => (await project.run(["settings", "get", "default_model"])).stdout.trim();

  it("connects a server by its address, and has one of its models answer", async () => {
    const { code, screen } = await play([
      ["Where is your model?", up + enter],
      ["Its address", project.model.baseUrl + enter],
      ["Its key", `a-key-of-mine${enter}`],
      ["Which model is to answer?", enter],
      ["answers from now on", ""],
    ]);
    expect(code, screen).to.equal(0);
    expect(screen).to.include("Connected already").and.not.include("a-key-of-mine");
    expect(await chosen()).to.equal("custom/test");
    expect(project.model.listings[0]?.headers).to.include({ authorization: "Bearer a-key-of-mine" });
  });

  it("has a model answer that is connected already", async () => {
    const { code, screen } = await play([
      ["Where is your model?", enter],
      ["Which model is to answer?", enter],
      ["answers from now on", ""],
    ]);
    expect(code, screen).to.equal(0);
    expect(await chosen()).to.equal("embedded/guide");
  });

  it("changes nothing where the person leaves, and where nothing answers", async () => {
    const before = await chosen();
    const left = await play([["Where is your model?", leave]]);
    expect(left.code, left.screen).to.equal(130);
    const refused = await play([
      ["Where is your model?", up + enter],
      ["Its address", `http://127.0.0.1:${await freePort()}/v1${enter}`],
      ["Its key", enter],
    ]);
    expect(refused.code, refused.screen).to.equal(1);
    expect(await chosen()).to.equal(before);
  });

  it("says so where nobody is at a terminal", async () => {
    const { code, stderr } = await project.run(["acp", "--setup"]);
    expect([code, stderr]).to.deep.equal([
      2,
      "Nobody is at the terminal to choose a model. `pergola settings set default_model <id>` does it without.\n",
    ]);
  });
});
