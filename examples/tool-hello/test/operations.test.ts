import { writeFile } from "node:fs/promises";
import path from "node:path";
import { expect } from "chai";
import { ToolError } from "@pergola/sdk";
import { runOperation, toolContext } from "@pergola/sdk/testing";
import { greet } from "../operations/greet.ts";
import { greetFile } from "../operations/greet-file.ts";
import { rememberGuest } from "../operations/remember-guest.ts";

const settings = { "tools.hello.greeting": "Hello" };

describe("hello.greet", () => {
  it("greets with the word of the settings", async () => {
    const context = toolContext({ settings: { "tools.hello.greeting": "Good day" } });
    expect(await runOperation(greet, { name: " Ada " }, context)).to.deep.equal({ data: "Good day, Ada!" });
  });

  it("tells the model what to change when the name is blank", async () => {
    const error = await runOperation(greet, { name: " " }, toolContext({ settings })).catch(
      (cause: unknown) => cause,
    );
    expect(ToolError.is(error) && error.hint).to.equal("Give the name of a person.");
  });
});

describe("hello.remember_guest", () => {
  it("counts the visits of a guest, however the name is written", async () => {
    const context = toolContext();
    await runOperation(rememberGuest, { name: "Ada" }, context);
    await runOperation(rememberGuest, { name: "Grace" }, context);
    const { data } = await runOperation(rememberGuest, { name: "ADA" }, context);
    expect(data).to.deep.equal({ name: "ADA", visits: 2, known: 2 });
  });

  it("keeps the guests of two conversations apart", async () => {
    const context = toolContext();
    await runOperation(rememberGuest, { name: "Ada" }, context);
    const { data } = await runOperation(rememberGuest, { name: "Ada" }, { ...context, scope: "c2" });
    expect(data).to.deep.equal({ name: "Ada", visits: 1, known: 1 });
  });
});

describe("hello.greet_file", () => {
  it("greets everybody in the file", async () => {
    const context = toolContext({ settings });
    await writeFile(path.join(context.workingDirectory, "guests.txt"), "Ada\n\n  Grace\n");
    const { data } = await runOperation(greetFile, { path: "guests.txt" }, context);
    expect(data).to.deep.equal(["Hello, Ada!", "Hello, Grace!"]);
  });

  it("says which file is missing", async () => {
    const error = await runOperation(greetFile, { path: "none.txt" }, toolContext({ settings })).catch(
      (cause: unknown) => cause,
    );
    expect(error).to.have.property("code", "file_not_found");
  });
});
