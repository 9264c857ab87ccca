import { expect } from "chai";
import { ToolError } from "@pergola/sdk";
import { runOperation, toolContext } from "@pergola/sdk/testing";
import { countWords } from "../operations/count-words.ts";

const context = toolContext({ settings: { "tools.sample_name.minimum_length": 3 } });

describe("sample_name.count_words", () => {
  it("counts the words that are long enough", async () => {
    const { data } = await runOperation(countWords, { text: "a bee sees\na tree" }, context);
    expect(data).to.deep.equal({ count: 3 });
  });

  it("tells the model what to change when the text is blank", async () => {
    const error = await runOperation(countWords, { text: " " }, context).catch((cause: unknown) => cause);
    expect(ToolError.is(error) && error.hint).to.equal("Give at least one word.");
  });
});
