import { expect } from "chai";
import { AppError, ToolError } from "@pergola/sdk";
import { Channel, type Envelope, type Handlers } from "../channel.ts";

/** Two ends that hear each other as two processes would: everything cloned on its way. */
function ends(there: Handlers, here: Handlers = {}): Channel {
  const near: Channel = new Channel(
    (envelope) => queueMicrotask(() => void far.receive(structuredClone(envelope))),
    here,
  );
  const far: Channel = new Channel(
    (envelope) => queueMicrotask(() => void near.receive(structuredClone(envelope))),
    there,
  );
  return near;
}
const failure = (asked: Promise<unknown>): Promise<unknown> => asked.catch((error: unknown) => error);

describe("the channel to a plugin's process", () => {
  it("carries questions and answers, however they overtake each other", async () => {
    const open: (() => void)[] = [];
    const channel = ends({
      wait: (name: string) => new Promise((resolve) => open.push(() => resolve(name))),
    });
    const [a, b] = [channel.ask("wait", "a"), channel.ask("wait", "b")];
    while (open.length < 2) await Promise.resolve();
    open[1]?.();
    open[0]?.();
    expect(await Promise.all([a, b])).to.deep.equal(["a", "b"]);
  });

  it("carries failures with what the model and the host need of them", async () => {
    const channel = ends({
      tool: () => {
        throw new ToolError("not_found", "gone", { hint: "look again", fields: { isBinary: true } });
      },
      app: () => {
        throw new AppError({ code: "conflict", message: "taken" });
      },
      other: () => {
        throw new TypeError("odd");
      },
    });
    const [tool, app, other] = await Promise.all(
      ["tool", "app", "other"].map((name) => failure(channel.ask(name))),
    );
    expect(ToolError.is(tool) && [tool.code, tool.message, tool.hint, tool.fields]).to.deep.equal([
      "not_found",
      "gone",
      "look again",
      { isBinary: true },
    ]);
    expect(AppError.is(app) && app.code).to.equal("conflict");
    expect(other).to.be.instanceOf(Error).with.property("message", "odd");
  });

  it("has no question that the other side does not list, not even an inherited one", async () => {
    for (const name of ["nothing", "constructor", "toString"])
      expect(await failure(ends({}).ask(name))).to.have.property("message", `there is no "${name}"`);
  });

  it("rejects what is open when the other side ends", async () => {
    const channel = new Channel((_: Envelope) => undefined, {});
    const asked = failure(channel.ask("anything"));
    channel.close(new ToolError("generic_error", "it ended"));
    expect(await asked).to.have.property("message", "it ended");
  });
});
