import type { Hooks, ModelCall } from "@pergola/sdk";
import { createHooks } from "../../core/hooks/create-hooks.ts";
import { silentLog } from "./fill.ts";
import { median } from "./measure.ts";

// What a tap costs a hook, by the number of taps: nanoseconds, as JSON. A process of its own, since a hook
// costs more in one whose code for it has been optimized for other handlers, too.

type Tap = Hooks["shapeModelCall"];

/** Nanoseconds of a call of a hook that so many handlers have tapped. */
async function callOf(taps: number, handler: Tap): Promise<number> {
  const { hooks, tap, close } = createHooks({ log: silentLog, failed: () => undefined });
  for (let number = 0; number < taps; number++) tap(`plugin-${number}`, "shapeModelCall", handler);
  close();
  const call = { model: "m", messages: [] } as unknown as ModelCall;
  const context = {} as Parameters<Tap>[1];
  const calls = Math.ceil(30_000 / taps);
  const rounds: number[] = [];
  for (let round = 0; round < 16; round++) {
    const begun = process.cpuUsage();
    for (let number = 0; number < calls; number++) await hooks.shapeModelCall(call, context);
    const { user, system } = process.cpuUsage(begun);
    rounds.push(((user + system) * 1000) / calls);
  }
  return median(rounds.slice(9));
}

/** A handler that answers at once, and one that does not. */
const kinds: Readonly<Record<string, Tap>> = { sync: (call) => call, async: async (call) => call };

const [, , kind = ""] = process.argv;
const costs: number[] = [];
for (const taps of [10, 100, 300]) costs.push((await callOf(taps, kinds[kind]!)) / taps);
process.stdout.write(JSON.stringify(costs));
