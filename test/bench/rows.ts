import { searchMillion } from "./memory/million.ts";
import { retrievalQuality } from "./memory/quality.ts";
import type { Visit } from "./measure.ts";
import type { Figure } from "./report.ts";
import { chatTurn, largeRequest } from "./rows/chat-turn.ts";
import { endOfStream, firstToken, inLongConversations, withMemories } from "./rows/first-token.ts";
import { largeStore } from "./rows/growth.ts";
import { idlePlugins, startWithPlugins, tapCosts } from "./rows/plugins.ts";
import { installation } from "./rows/install.ts";
import { journeySteps } from "./rows/journeys.ts";
import { pagePaint, pageAtWork } from "./rows/page.ts";
import { toolsInPrompt } from "./rows/prompt.ts";
import { worstStall } from "./rows/stall.ts";
import { memoryAfterEmbedding, memoryAfterTurns, startUp } from "./rows/start-up.ts";
import { clientGone, relayedChunk, thousandStreams } from "./rows/streams.ts";
import { storageSpeed } from "./rows/storage.ts";
import { mcpCalls, toolCall } from "./rows/tool-call.ts";
import { longLoop, loopCpu, loopGap, manyLoops, memoryAfterLoops } from "./rows/tool-loop.ts";
import type { Setting } from "./setting.ts";

export interface Row {
  readonly ids: readonly string[];
  /** How often it is measured in a whole run, from the beginning to the end; once, unless this says more. */
  readonly visits?: number;
  /** It is part of the quick set. */
  readonly quick?: boolean;
  /** Only where it is named: why. */
  readonly apart?: string;
  /** The name of its own table in the documentation, which `--write` fills where the row alone is named. */
  readonly table?: "journeys";
  /** It measures within this process, which then may run on all cores. */
  readonly within?: boolean;
  readonly run: (setting: Setting, visit: Visit) => Promise<Figure | readonly Figure[]>;
}

/** Visits of what takes a second or two, and shows most what neighbours take from the machine. */
const often = 4;

/** What `npm run bench` measures, in this order. */
export const rows: readonly Row[] = [
  { ids: ["P1"], quick: true, visits: 3, run: chatTurn },
  { ids: ["P2"], visits: often, run: firstToken },
  { ids: ["P2e"], visits: often, run: endOfStream },
  { ids: ["P2m"], visits: 2, run: withMemories },
  { ids: ["P2h"], within: true, visits: 2, run: inLongConversations },
  { ids: ["P3"], quick: true, visits: often, run: relayedChunk },
  { ids: ["P4"], run: thousandStreams },
  { ids: ["P5"], quick: true, visits: often, run: clientGone },
  { ids: ["P6"], quick: true, visits: often, run: loopGap },
  { ids: ["P7"], quick: true, visits: 3, run: loopCpu },
  { ids: ["P6"], visits: 3, run: longLoop },
  { ids: ["P7n"], visits: 2, run: manyLoops },
  { ids: ["P8", "P2c", "P9"], quick: true, visits: 3, run: startUp },
  { ids: ["P8"], visits: 3, run: startWithPlugins },
  { ids: ["P9"], run: memoryAfterTurns },
  { ids: ["P10"], run: memoryAfterLoops },
  { ids: ["P11", "P14"], within: true, visits: 3, run: storageSpeed },
  { ids: ["P12"], visits: 2, run: largeStore },
  { ids: ["P13"], visits: 2, run: worstStall },
  {
    ids: ["P15"],
    apart: "takes some minutes by itself: npm run bench -- P15",
    within: true,
    run: searchMillion,
  },
  {
    ids: ["P9", "P16", "P21"],
    within: true,
    run: (setting) =>
      memoryAfterEmbedding(setting, async () =>
        (await Promise.all([retrievalQuality(), installation()])).flat(),
      ),
  },
  { ids: ["P17"], visits: 3, run: toolCall },
  { ids: ["P17"], within: true, run: mcpCalls },
  { ids: ["P18"], quick: true, run: idlePlugins },
  { ids: ["P18"], quick: true, visits: 3, run: tapCosts },
  { ids: ["P19"], quick: true, run: toolsInPrompt },
  { ids: ["P20"], visits: often, run: largeRequest },
  { ids: ["P22"], visits: 3, run: pagePaint },
  { ids: ["P23"], visits: 2, run: pageAtWork },
  {
    ids: ["P24"],
    apart: "takes some minutes by itself: npm run bench -- P24",
    table: "journeys",
    within: true,
    run: journeySteps,
  },
];
