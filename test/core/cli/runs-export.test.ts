import { expect } from "chai";
import { chatReply, replayRun } from "@pergola/sdk/testing";
import { ask, openStage } from "../../support/host.ts";

describe("try", function () {
  this.timeout(60_000);
  it("goes", async () => {
    const stage = await openStage([
      chatReply({
        toolCalls: [
          { name: "math_operations", arguments: { operation: "calculate", expression: "1 + 1" } },
          { name: "think", arguments: { thoughts: "hm" } },
        ],
      }),
      chatReply({ toolCalls: [{ name: "file_operations", arguments: { operation: "write_file", filePath: "a.txt", content: "x" } }] }),
      chatReply({ text: "Done." }),
    ]);
    await stage.host.json("POST", "/v1/chat/completions", ask("What is 1+1? My key is sk-abcdefghijklmnop1234567890"));
    const { body: list } = await stage.host.json<{ runs: readonly { id: string }[] }>("GET", "/api/runs");
    const { body } = await stage.host.json<any>("GET", `/api/runs/${list.runs[0]!.id}/cassette`);
    console.log(JSON.stringify(body, null, 1));
    await stage.end();
    const t = performance.now();
    await replayRun(body);
    console.log("replay", performance.now() - t);
    body.steps[1].answer.toolCalls[0].arguments.filePath = "b.txt";
    const error = await replayRun(body).catch((e: unknown) => e);
    console.log(String(error));
  });
});
