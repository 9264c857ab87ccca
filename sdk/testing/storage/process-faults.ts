import { once } from "node:events";
import { createInterface } from "node:readline";
import { checkRule, demand, within, type Rule } from "../conformance/rule.ts";
import {
  newStore,
  openElsewhere,
  outputOf,
  textOf,
  type BuiltStorage,
  type Pairs,
  type Store,
} from "./other-process.ts";

const limit = 20_000;
/** Commits that a process has been told of when it is killed, at least. */
const enough = 20;

/** Kills a process that goes on writing pairs; gives how many it has told to be stored. */
async function killInWrites(store: Store): Promise<number> {
  const writer = openElsewhere(store, "write");
  const gone = once(writer, "exit");
  const complaint = textOf(writer.stderr);
  let told = 0;
  const writing = (async () => {
    for await (const _ of createInterface({ input: writer.stdout! })) if (++told >= enough) return;
    demand(false, `It failed: ${(await complaint).slice(0, 2000)}`);
  })();
  try {
    await within(limit, writing, `Until ${enough} commits were stored, it`);
  } finally {
    writer.kill("SIGKILL");
    await gone;
  }
  return told;
}

async function survivesKill(storage: BuiltStorage): Promise<void> {
  const store = await newStore(storage);
  const told = await killInWrites(store);
  const counted = outputOf(openElsewhere(store, "count"));
  const pairs = JSON.parse(await within(limit, counted, "Opening after the process was killed")) as Pairs;
  demand(
    pairs.whole >= told,
    `After its process was killed, ${pairs.whole} commits are there of ${told} that were told to be stored.`,
  );
  demand(!pairs.isTorn, "After its process was killed, a part of a commit is there.");
}

async function staysInItsDirectory(storage: BuiltStorage): Promise<void> {
  const walled = outputOf(openElsewhere(await newStore(storage), "once", { isWalled: true }));
  const failure = await within(limit, walled, "Writing one record").then(
    () => undefined,
    (error: unknown) => (error as Error).message,
  );
  const [, resource] = /resource: '([^']+)'/.exec(failure ?? "") ?? [];
  const outside = `It writes ${resource}, and may write its data directory alone.`;
  demand(failure === undefined, resource === undefined ? `It failed: ${failure}` : outside);
}

/** What every storage must do that is opened by a process of its own. */
export const processFaultRules: readonly Rule<BuiltStorage>[] = [
  {
    name: "crash",
    title: "has what it told to be stored before its process was killed, and halves nothing",
    check: survivesKill,
  },
  {
    name: "undeclared access",
    title: "writes nothing but its data directory",
    check: staysInItsDirectory,
  },
];

/** The same as a part of `describeStorage`. */
export function describeProcessFaults(storage: BuiltStorage): void {
  describe("in a process of its own", function () {
    this.timeout(60_000);
    for (const rule of processFaultRules) it(`${rule.name}: ${rule.title}`, () => checkRule(rule, storage));
  });
}
