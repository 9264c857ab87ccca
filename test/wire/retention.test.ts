import { expect } from "chai";
import { calling, eachItsLab, eventually, labCall, outcomesOf, play, saying } from "../support/lab-stage.ts";
import { lab } from "../support/plugins/tool-lab/lab.ts";
import { verifies } from "../support/verifies.ts";

const day = 86_400_000;

describe("retention", () => {
  const open = eachItsLab();
  let now = Date.parse("2026-03-01T10:00:00Z");
  const openStage = (days: number) =>
    open({
      clock: { now: () => now },
      settings: { "runs.retention_days": days, "tool_results.retention_days": days },
    });

  verifies(
    "runs:retention",
    "keeps everything where nothing is said, and removes what has had its time where a number of days is",
    async () => {
      for (const days of [0, 2]) {
        const stage = await openStage(days);
        const store = async (name: string): Promise<string> => {
          lab.texts.set(name, "long ".repeat(5000));
          await play(stage, [calling(labCall("peek", name)), saying("done")], { conversationId: name });
          return ((await outcomesOf(stage.host, name))[0]?.["resultId"] as string | undefined) ?? "";
        };
        const statusOf = async (id: string) =>
          (await stage.host.json("GET", `/api/tool_result?resultId=${id}`)).status;
        const runs = async () =>
          (await stage.host.json<{ runs: { conversationId: string }[]; count: number }>("GET", "/api/runs"))
            .body.count;
        const first = await store("first");
        now += day;
        const second = await store("second");
        expect([await statusOf(first), await statusOf(second), await runs()], `${days} days`).to.deep.equal([
          200, 200, 2,
        ]);
        now += 1.5 * day;
        expect([await statusOf(first), await statusOf(second)], `${days} days`).to.deep.equal([
          days === 0 ? 200 : 404,
          200,
        ]);
        await store("third");
        await eventually(async () => ((await runs()) === (days === 0 ? 3 : 2) ? true : undefined));
        expect(await statusOf(second), `${days} days`).to.equal(200);
      }
    },
  );
});
