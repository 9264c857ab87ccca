import { pick, type Parts, type ToolKeeper } from "@pergola/sdk/host";
import { openBench } from "./bench.ts";
import { checkOperationNames } from "./check-operation-names.ts";
import { HandCalls } from "./hand-calls.ts";
import { openSession } from "./open-session.ts";
import { meaningOf } from "./run-tools.ts";
import { Switches } from "./switches.ts";

/** The host's tools: offered to models, listed, and called by runs and by hand through one door. */
export function openTools(parts: Parts): ToolKeeper {
  const bench = openBench(parts);
  const { toolbox, heldFiles } = bench;
  const hand = new HandCalls(bench);
  const switches = new Switches(bench);
  return {
    heldFiles,
    isFamily: (name) => toolbox.isFamily(name),
    list: async (conversationId) =>
      toolbox.list(conversationId === undefined ? undefined : await bench.conversations.get(conversationId)),
    enable: (name, enabled, of) => switches.enable(name, enabled, of),
    listOffered: (request) => toolbox.offered(request),
    listOffers: (contextWindow) => toolbox.offered({ contextWindow }),
    call: (call) => hand.call(call),
    meaningOf: (call) => pick(meaningOf(bench, call), "tool", "operation", "arguments"),
    session: (run, start) => openSession(bench, run, start),
    resume: (approval) => hand.resume(approval),
    recover: async () => {
      bench.preferences.watch((keys) => toolbox.probeAgain(keys, AbortSignal.timeout(10_000)));
      checkOperationNames(bench);
      await toolbox.probe(AbortSignal.timeout(10_000));
      await heldFiles.prune();
      await hand.recover();
    },
  };
}
