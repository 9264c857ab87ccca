import { ToolError, type JsonSchema, type Operation, type ToolResult } from "@pergola/sdk";
import { runOperation } from "../run-operation.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { unfitInputs } from "./unfit-inputs.ts";
import { demand, type Rule } from "./rule.ts";
import { toolFaultRules } from "./tool-fault-rules.ts";
import {
  openCalls,
  openContext,
  pluginOf,
  saidOf,
  samplesOf,
  type SampleCall,
  type ToolStage,
  type ToolUnderTest,
} from "./tool-stage.ts";

const described = ({ description }: JsonSchema): boolean => (description ?? "").trim() !== "";

/** The parameters without a description, by their paths. */
const undescribed = (place: string, parameters: Readonly<Record<string, JsonSchema>>): readonly string[] =>
  Object.entries(parameters).flatMap(([name, schema]) => (described(schema) ? [] : [`${place}.${name}`]));

async function describes({ tool }: ToolStage): Promise<void> {
  const nameless = tool.operations.filter(({ description }) => description.trim() === "");
  const missing = [
    ...(tool.description.trim() === "" ? [tool.name] : []),
    ...nameless.map(({ name }) => `${tool.name}.${name}`),
    ...tool.operations.flatMap(({ name, parameters }) => undescribed(`${tool.name}.${name}`, parameters)),
  ];
  demand(missing.length === 0, `These have no description: ${missing.join(", ")}.`);
}

/** The result of a call must be one, and no fault that nobody has foreseen. */
function demandForeseen(result: ToolResult, call: string): void {
  demand(
    result.error_code !== "generic_error",
    `${call} ended with a fault that it does not foresee (${saidOf(result)}). Throw a ToolError, or narrow ` +
      "the schema of the parameter.",
  );
}

/** Only what reads is called with values that its schema allows: the others would do what they say. */
const onlyReads = ({ effect, effects }: Operation): boolean =>
  [effects ?? effect].flat().every((one) => one === "none" || one === "read");

async function refusesUnfitInput(stage: ToolStage): Promise<void> {
  const call = await openCalls(stage);
  const samples = samplesOf(stage);
  for (const operation of stage.tool.operations) {
    const sample = samples.find((one) => one.operation === operation.name)?.arguments ?? {};
    for (const { what, value, allowed } of unfitInputs(operation, sample)) {
      if (allowed && !onlyReads(operation)) continue;
      const result = await call({ operation: operation.name, arguments: value });
      demandForeseen(result, `${stage.tool.name}.${operation.name} with ${what}`);
      demand(allowed || !result.success, `${stage.tool.name}.${operation.name} took ${what}.`);
    }
  }
  demandNoStrike(stage);
}

/** The process of a plugin must have done nothing wrong; the host would count it. */
function demandNoStrike(stage: ToolStage): void {
  const last = pluginOf(stage).strikes.at(-1);
  demand(last === undefined, `The host counted a strike, "${last?.kind}", in ${last?.call ?? "its start"}.`);
}

async function answers(stage: ToolStage): Promise<void> {
  const call = await openCalls(stage);
  const samples = samplesOf(stage);
  const tried = new Set([...samples, stage.endless].map((sample) => sample?.operation));
  const untried = stage.tool.operations.filter(({ name, hidden }) => !tried.has(name) && hidden !== true);
  demand(
    untried.length === 0,
    `No call tries ${untried.map(({ name }) => name).join(", ")}. Give calls, or an example to the operation.`,
  );
  for (const sample of samples) {
    const result = await call(sample);
    demand(result.success, `${stage.tool.name}.${sample.operation} failed (${saidOf(result)}).`);
  }
}

/** What Node and the walls around a process say when code goes past the context. */
const wallSigns = /ERR_ACCESS_DENIED|EACCES|EPERM|ENOENT|ENETUNREACH|EAI_AGAIN|fetch failed|restricted/;

async function staysWithinManifest(stage: ToolStage): Promise<void> {
  const call = await openCalls(stage);
  for (const sample of samplesOf(stage)) {
    const result = await call(sample);
    const place = `${stage.tool.name}.${sample.operation}`;
    demand(
      result.error_code !== "permission_denied",
      `${place} was refused (${saidOf(result)}). Name under permissions in plugin.json what it needs.`,
    );
    demand(
      result.error_code !== "generic_error" || !wallSigns.test(saidOf(result)),
      `${place} went past its context (${saidOf(result)}). Use the files, fetch and spawn of the context.`,
    );
  }
  await handsOnRefusals(stage);
}

/** A refusal must reach the host as it is, so that models and people are told what was refused. */
async function handsOnRefusals(stage: ToolStage): Promise<void> {
  const { context } = openContext(stage, {
    permissions: {},
    ...(await preparedFolder(stage)),
  });
  for (const sample of samplesOf(stage)) {
    const failure = await runSample(stage, sample, context).catch((error: unknown) => error);
    const isFault = failure instanceof Error && !ToolError.is(failure);
    const text = isFault ? failure.message : "";
    demand(
      !isFault,
      `Without its permissions, ${sample.operation} fails with "${text}". Let the ToolError of the context pass.`,
    );
  }
}

async function preparedFolder({ prepare }: ToolStage): Promise<{ readonly workingDirectory: string }> {
  const workingDirectory = temporaryFolder();
  await prepare?.(workingDirectory);
  return { workingDirectory };
}

type Context = ReturnType<typeof openContext>["context"];

function runSample({ tool }: ToolStage, { operation, arguments: args }: SampleCall, context: Context) {
  const found = tool.operations.find(({ name }) => name === operation);
  demand(found !== undefined, `${tool.name} has no operation ${operation}.`);
  return runOperation(found, args, context);
}

async function keepsRecovery(stage: ToolStage): Promise<void> {
  const { context, stored } = openContext(stage, await preparedFolder(stage));
  for (const sample of samplesOf(stage)) {
    const operation = stage.tool.operations.find(({ name }) => name === sample.operation);
    const { recovery = "once", reconcile } = operation ?? {};
    const ask = async () => reconcile?.(sample.arguments as never, context) ?? "unknown";
    const place = `${stage.tool.name}.${sample.operation}`;
    const before = recovery === "reconcile" ? await ask() : "unknown";
    demand(before !== "happened", `reconcile of ${place} says that a call happened which was never made.`);
    await runSample(stage, sample, context);
    const after = recovery === "reconcile" ? await ask() : "unknown";
    demand(
      after !== "did_not_happen",
      `reconcile of ${place} says that a call which was made did not happen.`,
    );
    if (recovery !== "repeat") continue;
    const once = await stored();
    await runSample(stage, sample, context);
    demand(
      (await stored()) === once,
      `${place} says that it can be repeated, but the second call leaves other records. Use the call's id ` +
        'as the id of what it makes, or declare recovery: "once".',
    );
  }
}

/** What every tool plugin must do. */
export const toolRules: readonly Rule<ToolStage, ToolUnderTest>[] = [
  {
    name: "descriptions",
    title: "describes the family, each operation and each parameter",
    check: describes,
  },
  { name: "answers", title: "answers a call of each operation", check: answers },
  {
    name: "bad input",
    title: "refuses what its schemas forbid, and foresees what they allow",
    check: refusesUnfitInput,
  },
  {
    name: "undeclared access",
    title: "reaches what its manifest names, and hands on the refusal of all else",
    check: staysWithinManifest,
  },
  {
    name: "restart in the call",
    title: "keeps what the recovery of each operation promises",
    check: keepsRecovery,
  },
  ...toolFaultRules,
];
