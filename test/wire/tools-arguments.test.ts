import type { Operation } from "@pergola/sdk";
import type { JsonObject } from "@pergola/sdk";
import { expect } from "chai";
import { mirrorPolicy, readMirror } from "../support/mirror-policy.ts";
import {
  eachOf,
  execute,
  openTools,
  sampleOf,
  type Executed,
  type ToolStage,
} from "../support/tool-scene.ts";
import { verifies } from "../support/verifies.ts";

/** The call that a hint shows. */
const shownCall = ({ toolResult: { message } }: Executed): JsonObject =>
  JSON.parse(/\{.*\}/.exec(message)?.[0] ?? "{}") as JsonObject;

/** The other forms in which a model may send a value. */
function formsOf(value: unknown): readonly unknown[] {
  if (typeof value === "number" || typeof value === "boolean") return [String(value)];
  if (typeof value !== "object" || value === null) return [];
  const json = JSON.stringify(value);
  const isOneScalar = Array.isArray(value) && value.length === 1 && typeof value[0] !== "object";
  return isOneScalar ? [json, value[0] as unknown] : [json];
}

describe("arguments of tools", () => {
  let stage: ToolStage;
  before(async () => {
    stage = await openTools({ plugins: [mirrorPolicy] });
  });
  after(() => stage.end());

  /** Whether a family takes the call, as far as the policy. */
  const isRight = async (tool: string, args: JsonObject): Promise<boolean> =>
    readMirror((await execute(stage, tool, args)).error ?? "").name ===
    `${tool}.${args["operation"] as string}`;

  verifies(
    ["debug:execute", "T17"],
    "a call without a required one names it and shows a right call",
    async () => {
      // One with a default may be missing, though models are told to send it.
      const needed = ({ required, parameters }: Operation) =>
        required.filter((key) => parameters[key]?.default === undefined);
      const calls = stage.operations.flatMap((one) => needed(one.operation).map((key) => ({ ...one, key })));
      expect(calls.length).to.be.above(80);
      const wrong = await eachOf(calls, async ({ tool, operation, name, args, key }) => {
        const { [key]: _, ...rest } = args;
        for (const given of [rest, { ...rest, [key]: null }]) {
          const answer = await execute(stage, name, given);
          const shown = shownCall(answer);
          const isGood =
            !answer.success &&
            answer.error_code === "missing_required" &&
            answer.toolResult.message.includes(`"${key}"`) &&
            shown["operation"] === operation.name &&
            operation.required.every((required) => shown[required] !== undefined) &&
            (await isRight(tool.name, shown));
          if (!isGood)
            return `${name} without ${key}: ${answer.error_code}, ${answer.error} ${answer.toolResult.message}`;
        }
        return undefined;
      });
      expect(wrong).to.deep.equal([]);
    },
  );

  verifies(
    ["debug:execute", "T17"],
    "a call without an operation, or with a strange one, lists all and shows a right call",
    async () => {
      const many = stage.families.filter(
        ({ operations }) => operations.filter(({ hidden }) => hidden !== true).length > 1,
      );
      const wrong = await eachOf(
        many.flatMap((tool) =>
          [{}, { operation: "fly" }, { operation: "" }, { operation: 7 }, { operation: null }].map(
            (args) => ({ tool, args }),
          ),
        ),
        async ({ tool, args }) => {
          const answer = await execute(stage, tool.name, args);
          const listed = tool.operations.filter(
            ({ hidden, name }) => hidden !== true && !answer.toolResult.message.includes(name),
          );
          const isGood =
            answer.error_code === "invalid_operation" &&
            listed.length === 0 &&
            (await isRight(tool.name, shownCall(answer)));
          return isGood
            ? undefined
            : `${tool.name} ${JSON.stringify(args)}: ${answer.error_code}, ${answer.toolResult.message}`;
        },
      );
      expect(wrong).to.deep.equal([]);
    },
  );

  verifies("debug:execute", "where there is one operation it need not be named", async () => {
    const single = stage.operations.filter(
      ({ tool, operation }) =>
        operation.hidden !== true && tool.operations.filter(({ hidden }) => hidden !== true).length === 1,
    );
    expect(single.length).to.be.above(4);
    for (const { tool, name, args } of single) {
      expect(readMirror((await execute(stage, tool.name, args)).error ?? "").name).to.equal(name);
    }
  });

  verifies(
    ["debug:execute", "T14"],
    "a value that cannot be read as what it should be is refused by name, with a right call",
    async () => {
      const calls = stage.operations.flatMap((one) =>
        Object.entries(one.operation.parameters)
          .filter(([, { type }]) => type === "integer" || type === "number" || type === "boolean")
          .map(([key]) => ({ ...one, key })),
      );
      const wrong = await eachOf(calls, async ({ tool, name, args, key }) => {
        const answer = await execute(stage, name, { ...args, [key]: "many" });
        const isGood =
          answer.error_code === "invalid_value" &&
          answer.error?.includes(key) === true &&
          (await isRight(tool.name, shownCall(answer)));
        return isGood
          ? undefined
          : `${name} ${key}: ${answer.error_code}, ${answer.error} ${answer.toolResult.message}`;
      });
      expect(wrong).to.deep.equal([]);
    },
  );

  verifies(
    ["debug:execute", "T14"],
    "values are read leniently: numbers and switches as text, one value as a list, text as what it holds",
    async () => {
      const calls = stage.operations.flatMap(({ name, args, operation: { parameters } }) =>
        Object.entries(parameters).flatMap(([key, schema]) => {
          const value = args[key] ?? sampleOf(schema);
          return Array.isArray(schema.type)
            ? []
            : formsOf(value).map((form) => ({ name, key, value, given: { ...args, [key]: form } }));
        }),
      );
      expect(calls.length).to.be.above(80);
      const wrong = await eachOf(calls, async ({ name, key, value, given }) => {
        const { error = "" } = await execute(stage, name, given);
        const seen = readMirror(error).args[key];
        return JSON.stringify(seen) === JSON.stringify(value)
          ? undefined
          : `${name} ${JSON.stringify(given)}: ${error}`;
      });
      expect(wrong).to.deep.equal([]);
    },
  );

  verifies(
    ["debug:execute", "T14"],
    "what is no object of arguments is refused; what nobody knows is named and left out",
    async () => {
      const wrong = await eachOf(stage.operations, async ({ tool, name, args, operation }) => {
        const broken = await execute(stage, tool.name, "{");
        const { error = "" } = await execute(stage, name, { ...args, colour_of_it: 1 });
        const { args: seen } = readMirror(error);
        const isGood =
          broken.error_code === "invalid_json" &&
          (seen["colour_of_it"] === undefined) !== (operation.additional === true);
        return isGood ? undefined : `${name}: ${broken.error_code}, ${error}`;
      });
      expect(wrong).to.deep.equal([]);
    },
  );
});
