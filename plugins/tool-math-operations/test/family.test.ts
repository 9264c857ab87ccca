import { readFileSync } from "node:fs";
import { expect } from "chai";
import type { Operation } from "@pergola/sdk";
import { runOperation, toolContext } from "@pergola/sdk/testing";
import { mathOperations } from "../index.ts";

interface Manifest {
  readonly provides: { readonly tools: Readonly<Record<string, readonly string[]>> };
  readonly permissions: { readonly processes: readonly string[] };
}

const manifest = JSON.parse(readFileSync(new URL("../plugin.json", import.meta.url), "utf8")) as Manifest;
const named = (name: string): Operation =>
  mathOperations.operations.find((one) => one.name === name) as Operation;

describe("math_operations", () => {
  it("T01: runs every operation, and none touches anything", async () => {
    const isolated = { exitCode: 0, stdout: "2\n", stderr: "isolated\n", timedOut: false, truncated: false };
    const programs: string[] = [];
    const context = toolContext({ spawn: async (program) => (programs.push(program), isolated) });
    const calls: Readonly<Record<string, readonly [args: Readonly<Record<string, unknown>>, data: string]>> =
      {
        calculate: [{ expression: "1 + 1" }, "1 + 1 = 2"],
        compute: [{ code: "print(1 + 1)" }, "2"],
        convert: [{ value: 1, from: "km", to: "m" }, "1 km = 1000 m"],
        formula: [
          { formula: "percentage", value: 50, percentage: 4 },
          "Formula: percentage\nInputs: value = 50, percentage = 4\nResult: 4 % of 50 = 2\nSteps:\n- 50 × 4 / 100 = 2",
        ],
      };
    expect(Object.keys(calls)).to.have.members(mathOperations.operations.map(({ name }) => name));
    for (const [name, [args, data]] of Object.entries(calls)) {
      expect((await runOperation(named(name), args, context)).data, name).to.equal(data);
      expect(named(name).effect, name).to.equal("none");
    }
    expect(programs).to.deep.equal(manifest.permissions.processes);
  });

  for (const [args, operation] of [
    [{ expression: "1 + 1" }, "calculate"],
    [{ Expression: "1 + 1" }, "calculate"],
    [{ code: "1" }, "compute"],
    [{ value: 1, from: "km", to: "m" }, "convert"],
    [{ formula: "tip", bill: 5 }, "formula"],
    [{ expression: "1", code: "1" }, "calculate"],
    [{ value: 1, from: "km" }, undefined],
    [{}, undefined],
  ] as const) {
    it(`T18: takes ${JSON.stringify(args)} for ${operation ?? "nothing it knows"}`, () => {
      expect(mathOperations.inferOperation?.(args)).to.equal(operation);
    });
  }

  for (const { name, examples = [], parameters, required, display } of mathOperations.operations) {
    it(`gives examples of ${name} that can be run, and a card for each`, () => {
      expect(examples.length).to.be.at.least(4);
      for (const example of examples) {
        expect(Object.keys(example.arguments).filter((key) => parameters[key] === undefined)).to.deep.equal(
          [],
        );
        expect(required.filter((key) => example.arguments[key] === undefined)).to.deep.equal([]);
        expect(display?.(example.arguments as never)).to.include.keys(
          "actionDisplayName",
          "summary",
          "details",
          "icon",
        );
      }
    });
  }
});
