import type { ActiveRun, CallEnd, RunStart, ToolSession } from "@pergola/sdk/host";
import type { Bench } from "./bench.ts";
import type { CallSetting, ToolRequest } from "./check-call.ts";
import { Guards } from "./guards.ts";
import { runTools } from "./run-tools.ts";

/** The calls of one run, with what guards against loops that lead nowhere. */
export class RunCalls implements ToolSession {
  readonly #bench: Bench;
  readonly #run: ActiveRun;
  readonly #start: Pick<RunStart, "scope" | "workingDirectory">;
  readonly #guards = new Guards();
  readonly #denials = new Map<string, number>();

  constructor(bench: Bench, run: ActiveRun, start: Pick<RunStart, "scope" | "workingDirectory">) {
    this.#bench = bench;
    this.#run = run;
    this.#start = start;
  }

  get exhausted(): boolean {
    return this.#guards.exhausted;
  }

  run(calls: readonly ToolRequest[], resumed: boolean): AsyncIterable<readonly CallEnd[]> {
    const { request, model, signal, conversationId } = this.#run;
    const setting: CallSetting = {
      conversation: this.#bench.conversations.active(conversationId),
      scope: this.#start.scope,
      workingDirectory: this.#start.workingDirectory,
      run: this.#run,
      contextWindow: model.contextWindow,
      signal,
      caller: request.caller,
      userInitiated: false,
      switches: this.#switches(),
      denials: this.#denials,
      resumed,
    };
    return runTools(this.#bench, calls, setting, this.#guards);
  }

  /** Families that the request did not ask for are off for its run. */
  #switches(): CallSetting["switches"] {
    const { builtinTools: chosen, toolSwitches } = this.#run.request;
    if (chosen === "all") return { ...toolSwitches };
    const off = this.#bench.toolbox.names.filter((name) => chosen === "none" || !chosen.includes(name));
    return {
      ...toolSwitches,
      ...Object.fromEntries(off.map((name) => [name, false])),
    };
  }
}
