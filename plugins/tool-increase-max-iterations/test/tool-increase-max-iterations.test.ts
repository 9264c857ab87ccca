import { expect } from "chai";
import { ToolError } from "@pergola/sdk";
import { runOperation, toolContext } from "@pergola/sdk/testing";
import { increase } from "../operations/increase.ts";

const failure = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => undefined,
    (error: unknown) => error,
  );

describe("increase_max_iterations", () => {
  it("raises the run's limit and reports both totals", async () => {
    const context = toolContext();
    const { data, message } = await runOperation(
      increase,
      { requested_iterations: 500, reason: "many files" },
      context,
    );
    expect(data).to.deep.equal({ previousMax: 300, newMax: 500, currentIteration: 1, reason: "many files" });
    expect(message).to.equal("The limit of this run is now 500 iterations.");
    expect(context.run?.maxIterations).to.equal(500);
  });

  it("leaves a refusal of the host as it is", async () => {
    const refused = new ToolError("tool_disabled", "Dynamic limits are off.");
    const run = { ...toolContext().run!, setMaxIterations: async () => Promise.reject(refused) };
    expect(
      await failure(runOperation(increase, { requested_iterations: 500, reason: "x" }, toolContext({ run }))),
    ).to.equal(refused);
  });

  it("says what to do when there is no run", async () => {
    const error = await failure(
      runOperation(increase, { requested_iterations: 500, reason: "x" }, toolContext({ run: null })),
    );
    expect(error).to.be.instanceOf(ToolError).with.property("code", "unavailable");
    expect(error).to.have.property("hint", "Call this tool from inside a run.");
  });

  it("wants both arguments", async () => {
    expect(
      await failure(runOperation(increase, { requested_iterations: 500 }, toolContext())),
    ).to.have.property("code", "missing_required");
    expect(await failure(runOperation(increase, { reason: "x" }, toolContext()))).to.have.property(
      "code",
      "missing_required",
    );
  });
});
