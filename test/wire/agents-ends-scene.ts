import { chatReply } from "@pergola/sdk/testing";
import { expect } from "chai";
import { labCall, saying } from "../support/lab-stage.ts";

export const holding = (name: string, text = `${name} is done.`) => [
  chatReply({ toolCalls: [labCall("peek", name, { gate: true })] }),
  saying(text),
];
export const within = async (milliseconds: number, work: () => Promise<unknown>): Promise<void> => {
  const begun = performance.now();
  await work();
  expect(performance.now() - begun).to.be.below(milliseconds);
};
