import { EventEmitter } from "node:events";
import type { ServerResponse } from "node:http";
import type { Caller } from "@pergola/sdk";
import { expect } from "chai";
import { OpenAnswers } from "../../../core/http/open-answers.ts";

const caller = (id: string): Caller => ({
  kind: "token",
  id,
  name: id,
  remote: true,
  scopes: [],
  root: null,
});

class FakeResponse extends EventEmitter {
  destroyed = false;
  destroy(): void {
    this.destroyed = true;
    this.emit("close");
  }
}

const newResponse = () => new FakeResponse() as unknown as ServerResponse & FakeResponse;

describe("open answers", () => {
  it("end with their caller, and no other's do", () => {
    const open = new OpenAnswers();
    const [one, two, left] = [newResponse(), newResponse(), newResponse()];
    open.add(caller("a"), one, open.now());
    open.add(caller("b"), two, open.now());
    open.add(caller("b"), left, open.now());
    left.destroy();
    open.endOf("a");
    expect([one.destroyed, two.destroyed]).to.deep.equal([true, false]);
    expect([one, two, left].map((each) => open.hasEnded(each))).to.deep.equal([true, false, false]);
  });

  it("X40 end at once where the caller's token ended while it was looked up", () => {
    const open = new OpenAnswers();
    const [late, next, other] = [newResponse(), newResponse(), newResponse()];
    const since = open.now();
    open.endOf("settings");
    open.add(caller("settings"), late, since);
    open.add(caller("b"), other, since);
    open.add(caller("settings"), next, open.now());
    expect([late, next, other].map(({ destroyed }) => destroyed)).to.deep.equal([true, false, false]);
  });
});
