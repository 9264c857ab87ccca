import { setTimeout as sleep } from "node:timers/promises";
import { ToolError } from "@pergola/sdk";
import { runOperation } from "../run-operation.ts";
import { modelCalls } from "./kit-chat.ts";
import { killPluginProcess } from "./plugin-process.ts";
import { demand, within, type Rule } from "./rule.ts";
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

/** Milliseconds in which a call must have ended once it was stopped. */
const stopLimit = 1000;
/** Milliseconds in which a plain call must be answered while another waits. */
const answerLimit = 15_000;
/** What a model may be sent of one answer, in characters: larger ones are stored, with a preview. */
const sentLimit = 40_000;
/** Milliseconds after which a call that goes on has surely begun. */
const begun = 150;

const endlessOf = ({ endless }: ToolStage): SampleCall => {
  demand(endless !== undefined, "Give `endless`: a call that goes on until it is stopped.");
  return endless;
};

async function stopsAtOnce(stage: ToolStage): Promise<void> {
  const { operation: name, arguments: args } = endlessOf(stage);
  const operation = stage.tool.operations.find((one) => one.name === name);
  demand(operation !== undefined, `${stage.tool.name} has no operation ${name}.`);
  const stop = new AbortController();
  const { context } = openContext(stage, { signal: stop.signal });
  const ended = runOperation(operation, args, context).then(
    () => "a result",
    (error: unknown) => error,
  );
  const early = await Promise.race([ended, sleep(begun, "going on")]);
  demand(early === "going on", `${name} ended by itself (${textOf(early)}); give a call that goes on.`);
  stop.abort(new ToolError("cancelled", "The call was cancelled."));
  await within(stopLimit, ended, `${name}, after its signal was aborted,`);
}

const textOf = (value: unknown): string => (value instanceof Error ? value.message : String(value));

async function stopsInHost(stage: ToolStage): Promise<void> {
  const call = await openCalls(stage);
  const [sample] = samplesOf(stage);
  if (sample !== undefined) await call(sample);
  const stop = new AbortController();
  const ended = call(endlessOf(stage), stop.signal);
  await sleep(begun);
  const before = pluginOf(stage).strikes.length;
  stop.abort();
  await within(answerLimit, ended, "A cancelled call");
  const strike = pluginOf(stage).strikes[before];
  demand(strike === undefined, "The host had to end the plugin's process, for the call went on.");
}

async function holdsNobody(stage: ToolStage): Promise<void> {
  const call = await openCalls(stage);
  const [sample] = samplesOf(stage);
  demand(sample !== undefined, "No call is given.");
  const stop = new AbortController();
  const slow = call(endlessOf(stage), stop.signal);
  await sleep(begun);
  try {
    const other = await openCalls(stage);
    const result = await within(answerLimit, other(sample), "A call beside one that waits");
    demand(result.success, `A call beside one that waits failed (${saidOf(result)}).`);
  } finally {
    stop.abort();
    await slow;
  }
}

async function comesBack(stage: ToolStage): Promise<void> {
  const call = await openCalls(stage);
  const [sample] = samplesOf(stage);
  demand(sample !== undefined, "No call is given.");
  await call(sample);
  const cut = stage.endless === undefined ? undefined : call(stage.endless);
  await sleep(begun);
  const { folder, strikes } = pluginOf(stage);
  await killPluginProcess(folder);
  const noticed = async (): Promise<void> => {
    while (pluginOf(stage).strikes.length === strikes.length) await sleep(20);
  };
  await within(answerLimit, noticed(), "Until the host noticed that the process was gone, it");
  const result = await cut;
  demand(result?.success !== true, "A call succeeded whose process was gone.");
  const again = await call(sample);
  demand(again.success, `After its process was killed in a call, the next call failed (${saidOf(again)}).`);
}

async function leavesNothingBehind(stage: ToolStage): Promise<void> {
  const call = await openCalls(stage);
  const before = pluginOf(stage).strikes.length;
  for (const sample of samplesOf(stage)) await call(sample);
  await sleep(begun);
  const strike = pluginOf(stage).strikes[before];
  const detail = strike?.stderr.split("\n").find((line) => /error/i.test(line)) ?? "";
  demand(strike === undefined, `After its calls had ended, the process failed (${strike?.kind}). ${detail}`);
}

/** A model calls the operation; what it is sent of the answer is what counts. */
async function staysReadable(stage: ToolStage): Promise<void> {
  const { tool, largest } = stage;
  const calls = largest === undefined ? samplesOf(stage) : [largest];
  for (const { operation, arguments: args } of calls) {
    const { sent } = await modelCalls(stage, { name: tool.name, arguments: { ...args, operation } });
    demand(
      sent.length <= sentLimit,
      `The model was sent ${sent.length} characters of ${operation}; more than ${sentLimit} fill its window.`,
    );
    demand(!/too (large|much)/.test(sent.slice(0, 2000)), `The answer of ${operation} was refused: ${sent}`);
  }
}

const isIsolated = ({ plugin }: ToolUnderTest): boolean =>
  typeof plugin === "string" || plugin["isolation"] !== "trusted";
const hasEndless = ({ endless }: ToolUnderTest): boolean => endless !== undefined;

/** What a tool plugin must do under faults. */
export const toolFaultRules: readonly Rule<ToolStage, ToolUnderTest>[] = [
  {
    name: "abort",
    title: "ends a call at once when its signal is aborted",
    applies: hasEndless,
    check: stopsAtOnce,
  },
  {
    name: "abort in a host",
    title: "keeps its process when a call is cancelled",
    applies: (stage) => isIsolated(stage) && hasEndless(stage),
    check: stopsInHost,
  },
  {
    name: "slow",
    title: "answers other calls while one waits",
    applies: hasEndless,
    check: holdsNobody,
  },
  {
    name: "crash",
    title: "works again after its process was killed in a call",
    applies: isIsolated,
    check: comesBack,
  },
  {
    name: "late failure",
    title: "fails at nothing once its calls have ended",
    applies: isIsolated,
    check: leavesNothingBehind,
  },
  {
    name: "huge output",
    title: "gives models answers that they can read, or whose rest is stored",
    check: staysReadable,
  },
];
