// Plain JavaScript: it runs in the built host, as an installed plugin does.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { setTimeout } from "node:timers/promises";
import { defineOperation, definePlugin, defineTool } from "@pergola/sdk";

const fileOf = ({ workingDirectory }) => path.join(workingDirectory, "effects.log");

/** Every line is one write, so a killed process leaves it there or does not. */
const write = (context, word, recovery) =>
  appendFileSync(fileOf(context), `${word} ${recovery} ${context.callId}\n`);

/** Held for as long as the file `hold` lies there, if the call says so. */
async function pause(context, milliseconds, isHeld) {
  await setTimeout(milliseconds, undefined, { signal: context.signal });
  while (isHeld && existsSync(path.join(context.workingDirectory, "hold")))
    await setTimeout(5, undefined, { signal: context.signal });
}

const operation = (name, more = {}) =>
  defineOperation({
    name,
    description: `Leaves a line; recovery ${name}`,
    effect: "write",
    place: "own",
    parameters: {
      before: { type: "integer", default: 0, description: "Milliseconds before the effect" },
      after: { type: "integer", default: 0, description: "Milliseconds after the effect" },
      hold: { enum: ["before", "after"], description: "Where it is held" },
      size: { type: "integer", default: 0, description: "Characters of the result" },
      verdict: {
        enum: ["look", "unknown", "fail"],
        default: "look",
        description: "How a doubtful call is reconciled",
      },
    },
    async run({ before, after, hold, size }, context) {
      write(context, "begin", name);
      await pause(context, before, hold === "before");
      write(context, "effect", name);
      await pause(context, after, hold === "after");
      write(context, "end", name);
      return { data: `did ${context.callId}`.padEnd(size, ".") };
    },
    ...more,
  });

async function reconcile({ verdict }, context) {
  if (verdict === "fail") throw new Error("the other side does not answer");
  if (verdict === "unknown") return verdict;
  const log = existsSync(fileOf(context)) ? readFileSync(fileOf(context), "utf8") : "";
  return log.includes(`effect reconcile ${context.callId}\n`) ? "happened" : "did_not_happen";
}

export default definePlugin({
  tools: [
    defineTool({
      name: "effects",
      description: "Effects that can be counted",
      operations: [
        operation("once"),
        operation("repeat", { recovery: "repeat" }),
        operation("reconcile", { recovery: "reconcile", reconcile }),
        operation("ask", { effect: "execute" }),
        operation("look", { effect: "read" }),
      ],
    }),
  ],
});
