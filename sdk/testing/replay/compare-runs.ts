import { isDeepStrictEqual } from "node:util";
import { defined } from "@pergola/sdk";
import type { Cassette, RecordedExecution } from "@pergola/sdk/host";
import { lineDiff } from "./line-diff.ts";
import { readableLines } from "./readable-lines.ts";

/** A part of a run under the name that a person gives it, in the order in which it happened. */
type Part = readonly [name: string, value: unknown];

/** What a replay has to do again; a result after hooks only where it is known what went into them. */
function comparable({ id: _, given, result, shaped, ...call }: RecordedExecution): object {
  const isOpen = shaped === true && given === undefined;
  return { ...call, ...(!isOpen && { result }) };
}

function partsOf({ request, steps, end }: Cassette): readonly Part[] {
  return [
    ["the parameters of the model calls", request.parameters],
    ...steps.flatMap(({ answer, executions }, step): readonly Part[] => [
      [`the answer of model call ${step + 1}`, { text: answer.text, calls: answer.toolCalls }],
      ...executions.map((call, index): Part => [
        `tool call ${index + 1} of model call ${step + 1}, ${nameOf(call)}`,
        comparable(call),
      ]),
    ]),
    ["the end of the run", end],
  ];
}

const nameOf = ({ tool, operation }: RecordedExecution): string =>
  operation === "" ? tool : `${tool}.${operation}`;

const linesOf = (part: Part | undefined): readonly string[] =>
  part === undefined ? [] : readableLines(part[1]);

/** A call of a replay as it is compared with the one in its place of the recording. */
function besides(call: RecordedExecution, before: RecordedExecution | undefined): RecordedExecution {
  const { approval, shaped: _shaped, ...rest } = call;
  // A grant does not outlive its conversation: in a replay the person is asked instead.
  const isGranted = before?.granted === true && approval?.decision === "approved";
  return {
    ...rest,
    ...(isGranted ? { granted: true } : defined({ approval })),
    ...(before !== undefined && defined(pickHooks(before))),
  };
}

const pickHooks = ({ shaped, given }: RecordedExecution) => ({ shaped, given });

/** The replay as it is compared with its recording. */
const comparedWith = (recorded: Cassette, replayed: Cassette): Cassette => ({
  ...replayed,
  steps: replayed.steps.map(({ answer, executions }, step) => ({
    answer,
    executions: executions.map((call, index) => besides(call, recorded.steps[step]?.executions[index])),
  })),
});

/** The names of offered tools that both could offer; none where the recording does not know them. */
function sharedTools({ request: { tools } }: Cassette, recorded: Cassette, families: ReadonlySet<string>) {
  return recorded.request.tools === undefined ? [] : (tools ?? []).filter((name) => families.has(name));
}

/**
 * The first part in which a replayed run differs from its recording, with a diff; undefined when there is
 * none. `families`: the tools that the replay could have offered.
 */
export function firstDifference(
  recorded: Cassette,
  replayed: Cassette,
  families: ReadonlySet<string>,
): string | undefined {
  const compared = [recorded, comparedWith(recorded, replayed)] as const;
  const [before = [], after = []] = compared.map((run) => [
    ["the offered tools", sharedTools(run, recorded, families)] as const,
    ...partsOf(run),
  ]);
  const index = before.findIndex((part, at) => !isDeepStrictEqual(part[1], after[at]?.[1]));
  const place = index < 0 ? before.length : index;
  const [old, fresh] = [before[place], after[place]];
  const different = old ?? fresh;
  if (different === undefined) return undefined;
  const [name] = different;
  return [
    `The replayed run differs from its recording in ${name}:`,
    "",
    "- recorded",
    "+ replayed",
    "",
    lineDiff(linesOf(old), linesOf(fresh)),
    ...(old !== undefined && fresh !== undefined && old[0] !== fresh[0]
      ? ["", `In the replay this place has ${fresh[0]}.`]
      : []),
  ].join("\n");
}
