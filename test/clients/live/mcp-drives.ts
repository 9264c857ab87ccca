import { judge, none, type Feature, type Outcome } from "./feature.ts";
import { begin, conclusionOf, lastWords, take, within, type Drive } from "./turn.ts";

/** A turn of the program, its prompt the name of the feature: it reads so many stones with the tools. */
const reads =
  (prompt: string, count: number) =>
  async (drive: Drive): Promise<Outcome> =>
    judge((await take(drive, prompt, conclusionOf(drive.words.slice(0, count)))).faults);

async function error(drive: Drive): Promise<Outcome> {
  const running = begin(drive, "error");
  await running.ended;
  const seen = lastWords(drive, running);
  return judge([!running.output.includes("quartz.txt") && `it sees "${seen}" and not the reason`]);
}

interface Approvals {
  readonly approvals: readonly unknown[];
}

/** A call that waits for the person is cancelled: its question must be gone. */
async function cancel(drive: Drive): Promise<Outcome> {
  const running = begin(drive, "cancel");
  const asks = await within(running.wrote("the person is asked"));
  running.interrupt();
  const { late } = await running.ended;
  const answer = await fetch(`${drive.place.url}/api/approvals?status=pending`);
  const { approvals } = (await answer.json()) as Approvals;
  return judge([
    !asks && `its call does not reach the person: ${lastWords(drive, running)}`,
    late && "it had not ended after its deadline",
    approvals.length > 0 && "the question still waits",
  ]);
}

/** A second connection under the same name finds the files of the first. */
async function resume(drive: Drive): Promise<Outcome> {
  const said = conclusionOf(drive.words.slice(0, 1));
  const first = await take(drive, "answer", said);
  const second = await take(drive, "resume", said, first.running.output);
  return judge([...first.faults, ...second.faults]);
}

/** How a client of the tools is taken through each feature. */
export const mcpDrives: Readonly<Record<Feature, (drive: Drive) => Promise<Outcome>>> = {
  answer: reads("answer", 1),
  stream: async () => none,
  arguments: async () => none,
  steps: reads("steps", 3),
  parallel: reads("parallel", 2),
  error,
  cancel,
  resume,
};
