import type { HandCall, OfferedTool, ToolEntry } from "@pergola/sdk";
import type { ActiveRun, Parts, StoredApproval, ToolKeeper, ToolSession } from "@pergola/sdk/host";
import { openBench, type Bench } from "./bench.ts";
import { checkOperationNames } from "./check-operation-names.ts";
import { HandCalls } from "./hand-calls.ts";
import { RunCalls } from "./run-calls.ts";
import { Switches } from "./switches.ts";

/** The host's tools: offered to models, listed, and called by runs and by hand through one door. */
export class Tools implements ToolKeeper {
  readonly #bench: Bench;
  readonly #hand: HandCalls;
  readonly #switches: Switches;

  constructor(parts: Parts) {
    this.#bench = openBench(parts);
    this.#hand = new HandCalls(this.#bench);
    this.#switches = new Switches(this.#bench);
  }

  isFamily(name: string): boolean {
    return this.#bench.toolbox.isFamily(name);
  }

  async list(conversationId?: string): Promise<readonly ToolEntry[]> {
    const { toolbox, conversations } = this.#bench;
    return toolbox.list(conversationId === undefined ? undefined : await conversations.get(conversationId));
  }

  enable(...[name, enabled, of]: Parameters<ToolKeeper["enable"]>): Promise<void> {
    return this.#switches.enable(name, enabled, of);
  }

  listOffered(
    ...[choice, switches, conversation]: Parameters<ToolKeeper["listOffered"]>
  ): readonly OfferedTool[] {
    return this.#bench.toolbox.offered(choice, switches, conversation);
  }

  call(call: HandCall): ReturnType<ToolKeeper["call"]> {
    return this.#hand.call(call);
  }

  session(run: ActiveRun, start: Parameters<ToolKeeper["session"]>[1]): ToolSession {
    return new RunCalls(this.#bench, run, start);
  }

  resume(approval: StoredApproval): Promise<void> {
    return this.#hand.resume(approval);
  }

  async recover(): Promise<void> {
    const { toolbox, preferences } = this.#bench;
    preferences.watch((keys) => toolbox.probeAgain(keys, AbortSignal.timeout(10_000)));
    checkOperationNames(this.#bench);
    await toolbox.probe(AbortSignal.timeout(10_000));
    await this.#hand.recover();
  }
}
