import { expect } from "chai";
import { addFigure, sizeFor } from "../support/figures.ts";
import { answer, approvals, eventually, pendingIn, runWith } from "../support/lab-stage.ts";
import { follow, traceOf } from "./support/chat.ts";
import { callIdOf, playPlans, type Plan } from "./support/plan.ts";
import { openService, type Service } from "./support/service.ts";

const races = sizeFor("RACES_OF_ANSWERS", 50);
const asking = (id: string): Plan => ({ id, turns: [[{ operation: "ask" }]] });

describe("answers to questions (F22)", function () {
  this.timeout(120_000);
  let service: Service;
  before(async () => {
    service = await openService(playPlans, { "runs.max_parallel": 200 });
    await service.start();
  });
  after(() => service.close());

  it("that are wrong approve nothing, in 60 ways", async () => {
    const [one, other] = [asking("wrong-one"), asking("wrong-other")];
    void follow(service, one);
    void follow(service, other);
    const [first, second] = [await pendingIn(service, one.id), await pendingIn(service, other.id)];
    const ids = [first.toolCallId, `${first.toolCallId} `, "", "call_1", first.id, second.conversationId];
    const bodies = [
      { approved: true, conversationId: other.id },
      { approved: true, conversationId: "nobody" },
      { approved: "yes" },
      { approved: 1 },
      { approved: null },
      { approved: [true] },
      { aproved: true },
      { userResponse: 7 },
      { userResponse: ["yes"] },
      { conversationId: first.conversationId },
    ];
    const tried = ids.flatMap((toolCallId) => bodies.map((body) => ({ toolCallId, body })));
    for (const { toolCallId, body } of tried) {
      const { status } = await answer(service, toolCallId, body);
      expect(status, JSON.stringify({ toolCallId, body })).to.be.within(400, 499);
    }
    const runs = traceOf(service, callIdOf(one)).begin + traceOf(service, callIdOf(other)).begin;
    addFigure("wrong answers tried", tried.length);
    addFigure("unapproved or double runs", runs);
    addFigure("faults", tried.length);
    expect(runs).to.equal(0);
    const open = (await approvals(service, "?status=pending")).map(({ id }) => id);
    expect(open).to.include.members([first.id, second.id]);
    for (const { toolCallId } of [first, second]) await answer(service, toolCallId, { approved: false });
    for (const { id } of [one, other]) await runWith(service, id, "ended");
  });

  it(`20 at once to each of ${races}: one wins, and the call runs once or not at all`, async () => {
    const plans = Array.from({ length: races }, (_, number) => asking(`race-${number}`));
    let wrong = 0;
    for (const [index, plan] of plans.entries()) {
      const end = follow(service, plan);
      const { toolCallId } = await pendingIn(service, plan.id);
      const says = (number: number): boolean => (number + index) % 2 === 0;
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, number) => answer(service, toolCallId, { approved: says(number) })),
      );
      const won = answers.flatMap(({ status }, number) => (status === 200 ? [says(number)] : []));
      expect(won).to.have.lengthOf(1);
      expect(answers.filter(({ status }) => status === 409)).to.have.lengthOf(19);
      await end;
      const { effect } = traceOf(service, toolCallId);
      if (effect !== (won[0] === true ? 1 : 0)) wrong += 1;
    }
    addFigure("races of 20 answers", races);
    addFigure("faults", races);
    addFigure("unapproved or double runs", wrong);
    expect(wrong).to.equal(0);
    await eventually(async () =>
      (await approvals(service, "?status=pending")).length === 0 ? true : undefined,
    );
  });
});
