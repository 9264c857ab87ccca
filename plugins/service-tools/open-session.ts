import type { ActiveRun, RunStart, ToolSession } from "@pergola/sdk/host";
import type { Bench } from "./bench.ts";
import type { CallSetting } from "./check-call.ts";
import { Guards } from "./guards.ts";
import { runTools } from "./run-tools.ts";

/** The calls of one run, with what guards against loops that lead nowhere. */
export function openSession(
  bench: Bench,
  run: ActiveRun,
  { scope, workingDirectory }: Pick<RunStart, "scope" | "workingDirectory">,
): ToolSession {
  const guards = new Guards();
  const denials = new Map<string, number>();
  return {
    get exhausted() {
      return guards.exhausted;
    },
    run(calls, resumed) {
      const { request, model, signal, conversationId } = run;
      const setting: CallSetting = {
        conversation: bench.conversations.active(conversationId),
        scope,
        workingDirectory,
        run,
        contextWindow: model.contextWindow,
        signal,
        caller: request.caller,
        userInitiated: false,
        switches: switchesOf(bench, run),
        denials,
        resumed,
      };
      return runTools(bench, calls, setting, guards);
    },
  };
}

/** Families that the request did not ask for are off for its run. */
function switchesOf({ toolbox }: Bench, { request }: ActiveRun): CallSetting["switches"] {
  const { builtinTools: chosen, toolSwitches } = request;
  if (chosen === "all") return { ...toolSwitches };
  const off = toolbox.names.filter((name) => chosen === "none" || !chosen.includes(name));
  return {
    ...toolSwitches,
    ...Object.fromEntries(off.map((name) => [name, false])),
  };
}
